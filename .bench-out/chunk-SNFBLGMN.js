import { createRequire as requireFrom_ } from 'node:module'; const require = requireFrom_(import.meta.url);
import{crc32 as crc322}from"node:zlib";import{Level}from"level";var PREFIX={batch:98,number:110,header:104,body:100,receipts:114,transaction:116,stateRoot:112,node:115,code:99,preimage:105,logs:108,meta:109},INDEXES=new Set(
[PREFIX.number,PREFIX.transaction,PREFIX.stateRoot,PREFIX.meta]);function isIndex(key){return INDEXES.has(key[0])}function nameOf(bytes){return Buffer.from(bytes.
buffer,bytes.byteOffset,bytes.length).toString("latin1")}function keyOf(prefix,rest){let key=Buffer.allocUnsafe(1+rest.length);return key[0]=prefix,key.set(rest,
1),key}function numberKey(number){return numbered(PREFIX.number,Number(number))}function batchKey(sequence){return numbered(PREFIX.batch,sequence)}function numbered(prefix,number){
let key=Buffer.allocUnsafe(9);return key[0]=prefix,key.writeUInt32BE(Math.floor(number/2**32),1),key.writeUInt32BE(number%2**32,5),key}function sequenceOf(key){
return Number(readUint64(key,1))}function metaKey(name){return keyOf(PREFIX.meta,new TextEncoder().encode(name))}function uint64(value){let bytes=new Uint8Array(
8);return new DataView(bytes.buffer).setBigUint64(0,value),bytes}function readUint64(bytes,offset){return new DataView(bytes.buffer,bytes.byteOffset).getBigUint64(
offset)}function encodeTransactionEntry({blockHash,number,index}){let bytes=Buffer.allocUnsafe(44);return bytes.set(blockHash),bytes.writeBigUInt64BE(number,32),
bytes.writeUInt32BE(index,40),bytes}function decodeTransactionEntry(bytes){return{blockHash:bytes.slice(0,32),number:readUint64(bytes,32),index:new DataView(bytes.
buffer,bytes.byteOffset).getUint32(40)}}var KINDS=["block","patch","head","meta","repair","prune"],HEAD_BYTES=73;function writeHead(kind,head,bytes,at){bytes[at]=KINDS.indexOf(kind),new DataView(bytes.
buffer,bytes.byteOffset).setBigUint64(at+1,head.number),bytes.set(head.hash,at+9),bytes.set(head.stateRoot,at+41)}function encodeBatchRecord(head,written){let size=written.
reduce((sum,{key})=>sum+1+key.length+4,HEAD_BYTES),bytes=new Uint8Array(size),view=new DataView(bytes.buffer);bytes.set(head);let offset=HEAD_BYTES;for(let{key,
checksum}of written)bytes[offset]=key.length,bytes.set(key,offset+1),view.setUint32(offset+1+key.length,checksum),offset+=1+key.length+4;return bytes}function decodeBatchRecord(bytes){
let view=new DataView(bytes.buffer,bytes.byteOffset,bytes.byteLength),written=[];for(let offset=HEAD_BYTES;offset<bytes.length;){let length=bytes[offset],end=offset+
1+length;written.push({key:bytes.subarray(offset+1,end),checksum:view.getUint32(end)}),offset=end+4}return{kind:KINDS[bytes[0]],head:{number:readUint64(bytes,1),
hash:bytes.slice(9,41),stateRoot:bytes.slice(41,73)},written}}import{crc32}from"node:zlib";var PREAMBLE=8,FIXED=76,CHANGE=HEAD_BYTES+4,ENTRY=5,CHECKSUM=4,NO_HASH=new Uint8Array(32);function frameSize({changes}){let size=PREAMBLE+FIXED;for(let{entries}of changes){
size+=CHANGE;for(let entry of entries)size+=ENTRY+entry[0].length+entry[1].length+CHECKSUM}return size}function encodeFrame({first,before,changes},bytes,at){let view=new DataView(
bytes.buffer,bytes.byteOffset,bytes.length),body=at+PREAMBLE;view.setBigUint64(body,BigInt(first)),view.setUint32(body+8,changes.length),bytes.set(before?.hash??
NO_HASH,body+12),bytes.set(before?.stateRoot??NO_HASH,body+44);let end=body+FIXED;for(let{kind,head,entries}of changes){writeHead(kind,head,bytes,end),view.setUint32(
end+HEAD_BYTES,entries.length),end+=CHANGE;for(let[key,value]of entries)bytes[end]=key.length,view.setUint32(end+1,value.length),bytes.set(key,end+ENTRY),end+=ENTRY+
key.length,bytes.set(value,end),end+=value.length,view.setUint32(end,0),end+=CHECKSUM}view.setUint32(at,end-body),view.setUint32(at+4,crc32(bytes.subarray(body,
end)))}function frameEnd(bytes,at){let body=at+PREAMBLE;if(body+FIXED>bytes.length)return;let view=new DataView(bytes.buffer,bytes.byteOffset,bytes.length),end=body+
view.getUint32(at);if(!(end<body+FIXED||end>bytes.length))return crc32(bytes.subarray(body,end))===view.getUint32(at+4)?end:void 0}var FrameReader=class{#bytes;#view;#at;#changes;#entries=0;#beforeAt;first;last;sequence;headAt=0;keyAt=0;valueAt=0;valueEnd=0;constructor(bytes,at){
this.#bytes=bytes,this.#view=new DataView(bytes.buffer,bytes.byteOffset,bytes.length);let body=at+PREAMBLE;this.first=Number(readUint64(bytes,body)),this.#changes=
this.#view.getUint32(body+8),this.last=this.first+this.#changes-1,this.sequence=this.first-1,this.#at=body+FIXED,this.#beforeAt=body+12}follows(head){let at=this.#beforeAt,
isEqual=(bytes,from)=>Buffer.compare(bytes,this.#bytes.subarray(from,from+32))===0;return isEqual(head?.hash??NO_HASH,at)&&isEqual(head?.stateRoot??NO_HASH,at+32)}nextChange(){
return this.#changes===0?!1:(this.#changes--,this.sequence++,this.headAt=this.#at,this.#entries=this.#view.getUint32(this.#at+HEAD_BYTES),this.#at+=CHANGE,!0)}nextEntry(){
return this.#entries===0?!1:(this.#entries--,this.keyAt=this.#at+ENTRY,this.valueAt=this.keyAt+this.#bytes[this.#at],this.valueEnd=this.valueAt+this.#view.getUint32(
this.#at+1),this.#at=this.valueEnd+CHECKSUM,!0)}get end(){return this.#at}};function levelAt(path,{create}){let options={multithreading:!0};return new Level(path,{...options,keyEncoding:"view",valueEncoding:"buffer",createIfMissing:create})}
var BATCH_BYTES=65536;async function fill(level,bytes,{from,to},storing){for(let at=from;at<to;){let batch=level.batch(),end=Math.min(to,at+BATCH_BYTES);for(;at<
end;)at=putFrame(batch,bytes,at,storing);let options={sync:storing.fsync};await batch.write(options)}}function putFrame(batch,bytes,at,{checksums,records}){let view=new DataView(
bytes.buffer,bytes.byteOffset,bytes.length),frame=new FrameReader(bytes,at);for(;frame.nextChange();){let{headAt}=frame,written=[];for(;frame.nextEntry();){let{
keyAt,valueAt,valueEnd}=frame,key2=bytes.subarray(keyAt,valueAt),checksum=checksums?crc322(bytes.subarray(keyAt,valueEnd)):0;checksums&&view.setUint32(valueEnd,
checksum),batch.put(key2,bytes.subarray(valueAt,checksums?valueEnd+4:valueEnd)),records&&written.push({key:key2,checksum})}if(!records)continue;let key=batchKey(
frame.sequence),record=encodeBatchRecord(bytes.subarray(headAt,headAt+HEAD_BYTES),written);batch.put(key,checksums?withChecksum(key,record):record)}return frame.
end}function withChecksum(key,value){let stored=Buffer.allocUnsafe(value.length+4);return stored.set(value),stored.writeUInt32BE(checksumOf(key,value),value.length),
stored}function checksumOf(key,value){let ofKey=crc322(key);return value.length===0?ofKey:crc322(value,ofKey)}export{PREFIX,isIndex,nameOf,keyOf,numberKey,batchKey,sequenceOf,metaKey,uint64,readUint64,encodeTransactionEntry,decodeTransactionEntry,HEAD_BYTES,writeHead,encodeBatchRecord,
decodeBatchRecord,frameSize,encodeFrame,frameEnd,FrameReader,levelAt,fill,withChecksum,checksumOf};
