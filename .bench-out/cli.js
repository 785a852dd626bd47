import{createRequire}from"node:module";import{join}from"node:path";import{pathToFileURL}from"node:url";import{createHash}from"node:crypto";import{readFileSync,renameSync,rmSync,writeFileSync}from"node:fs";import{Script}from"node:vm";var HASH_BYTES=32;function compileScript(path2){
let cacheFile=`${path2}.${process.version}-${process.arch}.cache`,cachedData=readCache(cacheFile),script2=new Script(readFileSync(path2,"latin1"),{filename:path2,
...cachedData&&{cachedData}}),fromCache=script2.cachedDataRejected===!1;return{fromCache,run:()=>script2.runInThisContext(),keep:()=>{fromCache||writeCache(cacheFile,
script2.createCachedData())}}}function readCache(file){try{let content=readFileSync(file),code=content.subarray(HASH_BYTES);return hashOf(code).equals(content.subarray(
0,HASH_BYTES))?code:void 0}catch{return}}function writeCache(file,code){let partial=`${file}.${process.pid}`;try{writeFileSync(partial,Buffer.concat([hashOf(code),
code])),renameSync(partial,file)}catch{rmSync(partial,{force:!0})}}function hashOf(code){return createHash("sha256").update(code).digest()}var path=join(import.meta.dirname,"command-3fcd4e5d.js"),script=compileScript(path),bundle={url:pathToFileURL(path).href,require:createRequire(path),import:specifier=>import(specifier)};
await script.run()(bundle);await bundle.command(()=>setImmediate(()=>script.keep()));
