import { createRequire as requireFrom_ } from 'node:module'; const require = requireFrom_(import.meta.url);
import{fill,levelAt}from"./chunk-SNFBLGMN.js";import"./chunk-2KDKDX5F.js";import{parentPort,workerData}from"node:worker_threads";var{path}=workerData,level=levelAt(path,{create:!1}),answer=message=>parentPort.postMessage(message);await level.open();parentPort.on("message",request=>{if(!request){
level.close().then(()=>parentPort.close());return}fill(level,request.bytes,request.range,request.storing).then(()=>answer({}),error=>answer({error:{message:error.
message,code:error.code}}))});answer({});
