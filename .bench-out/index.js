import { createRequire as requireFrom_ } from 'node:module'; const require = requireFrom_(import.meta.url);
import{Address,BadBlock,DevnetError,ImportError,ManualClock,OptionError,RpcClient,RpcError,SystemClock,TaskQueue,Unreachable,bytesToHex,conflict,createNode,equalsBytes,
expectSame,hexToBytes,importChain,isStoreFailure,keccak256,openSocket,replayFixture,resolveOptions}from"./chunk-D7PFC6DG.js";import"./chunk-SNFBLGMN.js";
import"./chunk-MZCHLBCZ.js";import"./chunk-O6X46LDU.js";import"./chunk-2KDKDX5F.js";import{brotliDecompressSync}from"node:zlib";var BadMessage=class extends Error{name="BadMessage"};function readMessage(frame){try{let text=(frame[0]===123?frame:brotliDecompressSync(frame)).toString(),message=JSON.
parse(text),{payload_id,index,base,diff,metadata}=message;if(typeof payload_id!="string"||!Number.isSafeInteger(index)||index<0)throw new Error("payload_id and \
index");if(!Array.isArray(diff.transactions)||!Number.isSafeInteger(metadata.block_number))throw new Error("diff.transactions and metadata.block_number");if(index===
0!=(base!==void 0))throw new Error("base, with index 0 only");return message}catch(error){throw new BadMessage(`not a message of the stream: ${error.message}`)}}
function placeOf({payload_id:payload,index,metadata}){return{number:BigInt(metadata.block_number),index,payload}}function planOf(base,{withdrawals}){return{timestamp:BigInt(
base.timestamp),coinbase:new Address(hexToBytes(base.fee_recipient)),gasLimit:BigInt(base.gas_limit),prevRandao:hexToBytes(base.prev_randao),extraData:hexToBytes(
base.extra_data),baseFeePerGas:BigInt(base.base_fee_per_gas),parentBeaconBlockRoot:hexToBytes(base.parent_beacon_block_root),withdrawals:withdrawals.map(withdrawalOf)}}
function checkAgainst({diff},{header,hash}){expectSame("gasUsed",BigInt(diff.gas_used),header.gasUsed),expectSame("receiptsRoot",hexToBytes(diff.receipts_root),
header.receiptsRoot),expectSame("logsBloom",hexToBytes(diff.logs_bloom),header.logsBloom),BigInt(diff.state_root)!==0n&&(expectSame("stateRoot",hexToBytes(diff.
state_root),header.stateRoot),expectSame("hash",hexToBytes(diff.block_hash),hash))}function withdrawalOf(withdrawal){return{index:BigInt(withdrawal.index),validatorIndex:BigInt(
withdrawal.validatorIndex),address:new Address(hexToBytes(withdrawal.address)),amount:BigInt(withdrawal.amount)}}var ANSWER_MS=3e4;function askerOf(client){return(method,params)=>client.request(method,params,ANSWER_MS)}var PrunedAway=class extends Error{name="PrunedAway";constructor(number){
super(`block ${number} is pruned at the node that makes the blocks (--prune-history): this chain can't go on from block ${number-1n}`)}},Behind=class extends Error{},
quantity=number=>`0x${number.toString(16)}`;function idOf({number,hash,parentHash}){return{number:BigInt(number),hash:hexToBytes(hash),parentHash:hexToBytes(parentHash)}}
async function latestOf(ask){return idOf(await ask("eth_getBlockByNumber",["latest",!1]))}async function firstOf(ask){return idOf(await ask("eth_getBlockByNumbe\
r",["earliest",!1]))}async function hashAt(ask,number){let block=await ask("eth_getBlockByNumber",[quantity(number),!1]);return block?hexToBytes(block.hash):void 0}
async function rawBlock(ask,number){return hexToBytes(await ask("debug_getRawBlock",[quantity(number)]))}async function sendersOf(ask,number,{pending=!1}={}){for(let ref of[
...pending?["pending"]:[],quantity(number)]){let block=await ask("eth_getBlockByNumber",[ref,!0]);if(block&&BigInt(block.number)===number)return new Map(block.transactions.
map(({hash,from})=>[hash,new Address(hexToBytes(from))]))}throw new Behind}function streamStep(latest,{number,index,payload}){let same2=latest?.number===number&&latest.payload===payload;return same2&&index<=latest.index?"duplicate":index===
0?"begin":latest?same2&&index===latest.index+1?"append":"clear":"wait"}function headStep(head,own){let{latest,pending}=own,held=head.number<=latest.number?own.hashOf(
head.number):void 0;return held?equalsBytes(held,head.hash)?"known":"resync":head.number!==latest.number+1n||!equalsBytes(head.parentHash,latest.hash)?"resync":
pending&&equalsBytes(pending.hash,head.hash)?"seal":"adopt"}var AHEAD=8,MOST_TRIES=10,Follower=class{#deps;#place;#reported;constructor(deps){this.#deps=deps}async restart(ask){this.#place=void 0,await this.sync(ask)}async message(message,ask){
let place=placeOf(message),step=streamStep(this.#place,place);if(step==="duplicate"||step==="wait")return;if(this.#place=void 0,step==="clear")return this.#deps.
replica.clear();let ready=step==="append"||await this.#reach(hexToBytes(message.base.parent_hash),ask);try{if(ready&&await this.#attempt(place.number,()=>this.#run(
message,ask))){this.#place=place;return}}catch(error){if(!(error instanceof Behind))throw error}await this.#deps.replica.clear()}async head(head,ask){let{chain,
replica}=this.#deps,pending=replica.pending,step=headStep(head,{latest:idOf2(chain.latest),pending:pending&&idOf2(pending),hashOf:number=>chain.hashOf(number)});
if(step==="known")return;let place=this.#place;if(this.#place=void 0,step==="seal")return replica.seal();await this.sync(ask)||(this.#place=place)}async sync(ask){
let{chain,replica}=this.#deps;for(let tries=0;;tries++){let head=await latestOf(ask);if(equalsBytes(head.hash,chain.latest.hash))return tries>0;try{let common=await this.#common(
head.number,ask);if(common<chain.latest.header.number&&await replica.rollback(common),!await this.#adoptUpTo(head.number,ask))return!0}catch(error){if(!(error instanceof
Behind||error instanceof RpcError&&!(error instanceof Unreachable))||tries===MOST_TRIES)throw error}}}async#common(head,ask){let{chain}=this.#deps,{number:own}=chain.
latest.header,newest=head<own?head:own,first=await firstOf(ask),lowest=first.number>chain.genesis?first.number-1n:chain.genesis;if(newest<lowest)throw new PrunedAway(
newest+1n);let agrees=async number=>{if(number===chain.genesis)return!0;let theirs=number===lowest?first.parentHash:await hashAt(ask,number);if(!theirs)throw new Behind;
return same(theirs,chain.hashOf(number))},agreed=newest,differs=newest+1n;for(let step=1n;!await agrees(agreed);step*=2n){if(agreed===lowest)throw new PrunedAway(
lowest);differs=agreed,agreed=newest-step>lowest?newest-step:lowest}for(;differs-agreed>1n;){let between=(agreed+differs)/2n;await agrees(between)?agreed=between:
differs=between}return agreed}async#adoptUpTo(last,ask){let first=this.#deps.chain.latest.header.number+1n,fetched=[],next=first,fetch=()=>{for(;next<=last&&fetched.
length<AHEAD;){let raw=rawBlock(ask,next++);raw.catch(()=>{}),fetched.push(raw)}};for(let number=first;number<=last;number++){fetch();let raw=await fetched.shift();
if(!await this.#attempt(number,()=>this.#adopt(number,ask,raw)))return!1}return!0}async#adopt(number,ask,encoded){let{replica}=this.#deps;try{await replica.adopt(
encoded)}catch(error){if(!isMismatch(error))throw error;if(error instanceof BadBlock&&error.fault.field==="parentHash")throw new Behind;await replica.adopt(encoded,
await sendersOf(ask,number))}}async#reach(parentHash,ask){let{chain,replica}=this.#deps,isNext=()=>equalsBytes(parentHash,chain.latest.hash);return same(replica.
pending?.hash,parentHash)||isNext()?!0:(await this.sync(ask),isNext())}async#run(message,ask){let{replica}=this.#deps,{base,diff}=message,run=senders=>{let flashblock={
transactions:diff.transactions.map(raw=>hexToBytes(raw)),senders,check:view=>checkAgainst(message,view)};if(!base)return replica.extend(flashblock);let seal=same(
replica.pending?.hash,hexToBytes(base.parent_hash));return replica.begin(planOf(base,diff),flashblock,{seal})};try{await run()}catch(error){if(!isMismatch(error)||
diff.transactions.length===0)throw error;let senders=await sendersOf(ask,placeOf(message).number,{pending:!0});if(!diff.transactions.map(raw=>bytesToHex(keccak256(
hexToBytes(raw)))).every(hash=>senders.has(hash)))throw new Behind;await run(senders)}}async#attempt(number,task){try{return await task(),this.#reported=void 0,
!0}catch(error){if(!isMismatch(error))throw error;return this.#reported!==number&&(this.#reported=number,this.#deps.replica.mismatches++,this.#deps.onMismatch({
number,reason:error.message})),!1}}};function isMismatch(error){return error instanceof BadBlock||error instanceof DevnetError}function idOf2({header,hash}){return{
number:header.number,hash}}function same(one,other){return one!==void 0&&other!==void 0&&equalsBytes(one,other)}var MAX_WAITING=1e3,BACKOFF=[1e3,1e4],OtherChain=class extends Error{name="OtherChain"},Sessions=class{#options;#deps;#queue=new TaskQueue;#rpc;#end=()=>{};#waiting=0;#stopped=!1;#running;#retry;constructor(options,deps){
this.#options=options,this.#deps=deps}async start(){let{ended}=await this.#open();this.#running=this.#keep(ended)}async stop(){this.#stopped=!0,this.#retry?.(),
this.#end(),await this.#running,await this.#queue.run(async()=>{})}request(method,params=[]){return this.#rpc?this.#rpc.request(method,params):Promise.reject(new Unreachable)}async#keep(first){
let{onLine,onFatal,clock}=this.#deps,ended=first;for(;!this.#stopped;){await ended;let wait=BACKOFF[0],reason=`the connection to ${this.#options.stream} ended`;
for(;!this.#stopped;){if(onLine(`${reason}: next try in ${wait/1e3} s`),await new Promise(resolve=>{let timer=clock.after(wait,resolve);this.#retry=()=>{timer[Symbol.
dispose](),resolve()}}),wait=Math.min(2*wait,BACKOFF[1]),this.#stopped)return;try{({ended}=await this.#open()),onLine(`following ${this.#options.stream} again`);
break}catch(error){if(error instanceof OtherChain)return onFatal(error);reason=error.message}}}}async#open(){let{clock,follower,genesis}=this.#deps,connection=new Connection,
add=task=>this.#add(connection,task),rpc=await RpcClient.open(this.#options.rpc,clock,head=>{add(async()=>follower.head(idOf(head),ask))}),ask=askerOf(rpc),end=()=>connection.
end();this.#end=end,rpc.socket.on("close",end),connection.ended.then(()=>{rpc.close(),this.#rpc===rpc&&(this.#rpc=void 0)});try{let theirs=await hashAt(ask,genesis.
number);if(!theirs||Buffer.compare(theirs,genesis.hash)!==0)throw new OtherChain(`${this.#options.rpc} is another chain now: its genesis block is another one`);
await ask("eth_subscribe",["newHeads"]),this.#rpc=rpc;let synced=add(()=>follower.restart(ask)),stream=await openSocket(this.#options.stream,clock,frame=>{add(async()=>follower.
message(readMessage(frame),ask)),this.#waiting>MAX_WAITING&&end()});connection.ended.then(()=>stream.close()),stream.on("close",end),await synced}catch(error){throw end(),
error}return this.#stopped&&end(),connection}#add(connection,task){let{onLine,onFatal}=this.#deps;this.#waiting++;let isOver=()=>this.#stopped||connection.over;
return this.#queue.run(async()=>{try{isOver()||await task()}catch(error){isStoreFailure(error)||error instanceof PrunedAway?onFatal(error):isOver()||onLine(error.
message),error instanceof BadMessage||connection.end()}finally{this.#waiting--}})}},Connection=class{over=!1;ended;#resolve=()=>{};constructor(){this.ended=new Promise(
resolve=>{this.#resolve=resolve})}end(){this.over=!0,this.#resolve()}};async function followNode(url,{rpc,strict=!1,...options},hooks,createNode2){options.forkUrl!==void 0&&conflict("forkUrl","follow");let clock=new SystemClock,endpoints=endpointsOf(
url,rpc),remote=await factsOf(endpoints.rpc,clock,resolveOptions(unmined(options)).number),config=resolveOptions(options.init===void 0?genesisOf(remote,options):
unmined(options)),onLine=hooks.onFollow??(()=>{}),sessions,node=await createNode2(config,{...hooks,forward:async(method,params)=>{try{return await sessions?.request(
method,params)}catch(error){throw error instanceof RpcError?DevnetError.foreign(error):error}}});try{let genesisHash=node.chain.hashOf(node.chain.genesis);if(bytesToHex(
genesisHash)!==remote.genesis.hash)throw new OtherChain(`the genesis block is ${bytesToHex(genesisHash)} here and ${remote.genesis.hash} at ${endpoints.rpc}: gi\
ve the options that it was started with (--init, --accounts, --balance, --mnemonic, --seed, --hardfork)`);if(config.optimism!==remote.optimism)throw new OtherChain(
`${endpoints.rpc} was started ${remote.optimism?"with":"without"} --optimism`);let rules=options.init===void 0&&remote.config!==void 0,own=rules&&JSON.stringify(
currentOf(await node.provider.request({method:"eth_config"})));if(rules&&own!==JSON.stringify(remote.config))throw new OtherChain(`${endpoints.rpc} has other ru\
les (eth_config): give its --hardfork`);let follower=new Follower({chain:node.chain,replica:node.replica,onMismatch:({number,reason})=>{let line=`block ${number}\
 differs: ${reason}. What dev methods write (anvil_setBalance and its kin) is not in the stream; this chain stays at block ${node.chain.latest.header.number} un\
til that is taken back`;onLine(line),strict&&hooks.onFatal(new Error(line))}});sessions=new Sessions(endpoints,{follower,genesis:{number:node.chain.genesis,hash:genesisHash},
clock,onLine,onFatal:hooks.onFatal}),await sessions.start()}catch(error){throw await sessions?.stop(),await node.close(),error}let{close}=node;return{config,node:{
...node,close:async()=>{await sessions.stop(),await close()}}}}async function factsOf(url,clock,number){let client=await RpcClient.open(url,clock),ask=askerOf(client);
try{let[chainId,genesis,config,metadata,info]=await Promise.all([ask("eth_chainId"),ask("eth_getBlockByNumber",[`0x${number.toString(16)}`,!1]),ask("eth_config").
catch(()=>{}),ask("anvil_metadata").catch(()=>{}),ask("anvil_nodeInfo").catch(()=>{})]);if(metadata?.forkedNetwork)throw new OtherChain(`${url} is forked from a\
nother chain, which a follower knows nothing of`);if(!genesis)throw new OtherChain(`there is no block ${number} at ${url}: give its --number`);return{chainId,genesis,
config:currentOf(config),optimism:info?.network==="optimism"}}finally{client.close()}}function currentOf(config){return config?.current}function genesisOf({chainId,
genesis},options){return unmined({...options,chainId:BigInt(chainId),timestamp:BigInt(genesis.timestamp),gasLimit:BigInt(genesis.gasLimit),coinbase:genesis.miner,
extraData:genesis.extraData,...genesis.baseFeePerGas!==void 0&&{baseFee:BigInt(genesis.baseFeePerGas)}})}function unmined(options){return{...options,noMining:!0}}
function endpointsOf(url,rpc){let stream=new URL(url);stream.searchParams.has("backfill")||stream.searchParams.set("backfill","1");let beside=new URL(rpc??new URL(
"/",stream));for(let it of[stream,beside])it.protocol=it.protocol.replace("http","ws");return{stream:stream.href,rpc:beside.href}}async function createDevnet(options={},hooks={}){let config=resolveOptions(options),end=ending(),node=await createNode(config,{version:VERSION,onFatal:end.fail,
...hooks});return serve(node,{options,config,end},async()=>{config.import!==void 0&&await importChain(config.import,node,hooks.onImport)})}async function followDevnet(stream,options={},hooks={}){
let end=ending(),own={version:VERSION,onFatal:end.fail,...hooks},{node,config}=await followNode(stream,options,own,createNode);return serve(node,{options,config,
end})}var VERSION="0.1.0";function ending(){let close=()=>{},fail=()=>{};return{closed:new Promise((resolve,reject)=>{close=resolve,fail=reject}),close,fail}}async function serve(node,{
options,config,end},prepare=async()=>{}){let url;try{await prepare(),config.ipc!==void 0&&await node.listenIpc(config.ipc),options.port!==void 0&&(url=await node.
listen(config.host,config.port))}catch(error){throw await node.close(),error}return{provider:node.provider,url,clock:node.clock,accounts:node.accounts,genesisTimestamp:node.
genesisTimestamp,repaired:node.repaired,fork:node.fork,close:async()=>{await node.close(),end.close()},closed:end.closed}}export{DevnetError,ImportError,ManualClock,OptionError,OtherChain,createDevnet,followDevnet,replayFixture};
