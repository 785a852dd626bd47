import { createRequire as requireFrom_ } from 'node:module'; const require = requireFrom_(import.meta.url);
function isBytes(a){return a instanceof Uint8Array||ArrayBuffer.isView(a)&&a.constructor.name==="Uint8Array"&&"BYTES_PER_ELEMENT"in a&&a.BYTES_PER_ELEMENT===1}var atitle=title=>title?
`"${title}" `:"";function anumber(n,title=""){if(typeof n!="number")throw new TypeError(atitle(title)+"expected number, got "+typeof n);if(!Number.isSafeInteger(
n)||n<0)throw new RangeError(atitle(title)+"expected integer >= 0, got "+n);return n}function abool(value,title=""){if(typeof value!="boolean")throw new TypeError(
atitle(title)+"expected boolean, got type="+typeof value);return value}function abytes(value,length,title=""){if(isBytes(value)&&(length===void 0||value.length===
length))return value;length!==void 0&&anumber(length,"length");let bytes=isBytes(value),ofLen=length!==void 0?` of length ${length}`:"",got=bytes?`length=${value.
length}`:`type=${typeof value}`,message=atitle(title)+"expected Uint8Array"+ofLen+", got "+got;throw bytes?new RangeError(message):new TypeError(message)}function ahash(h){if(typeof h!="function"||typeof h.create!="function")throw new TypeError("expected hash wrapped by utils.createHasher");if(anumber(h.outputLen),
anumber(h.blockLen),h.outputLen<1||h.blockLen<1)throw new Error("hash blockLen / outputLen must be >= 1")}var aobject=(value,label)=>{if(value===null||typeof value!=
"object"||Array.isArray(value))throw new TypeError((label==="object"?"":`"${label}" `)+"expected object, got type="+typeof value)},aopts=(value,label)=>{aobject(
value,label);let proto=Object.getPrototypeOf(value);if(proto!==Object.prototype&&proto!==null)throw new TypeError(`"${label}" expected plain object`);if(Object.
hasOwn(value,"__proto__"))throw new TypeError(`"${label}.__proto__" is not allowed`)};function aexists(instance,checkFinished=!0){if(instance.destroyed)throw new Error(
"hash was destroyed");if(checkFinished&&instance.finished)throw new Error("digest() was already called")}function aoutput(out,instance){abytes(out,void 0,"outpu\
t");let min=instance.outputLen;if(!(out.length>=min))throw new RangeError('"output" expected length >= '+min)}function u32(arr){return new Uint32Array(arr.buffer,arr.byteOffset,Math.floor(arr.byteLength/4))}function clean(...arrays){for(let i=0;i<arrays.length;i++)arrays[i].
fill(0)}function createView(arr){return new DataView(arr.buffer,arr.byteOffset,arr.byteLength)}function rotr(word,shift){return word<<32-shift|word>>>shift}function rotl(word,shift){
return word<<shift|word>>>32-shift>>>0}var isLE=new Uint8Array(new Uint32Array([287454020]).buffer)[0]===68;function byteSwap(word){return word<<24&4278190080|word<<
8&16711680|word>>>8&65280|word>>>24&255}function byteSwap32(arr){for(let i=0;i<arr.length;i++)arr[i]=byteSwap(arr[i]);return arr}var swap32IfBE=isLE?u=>u:byteSwap32,hasHexBuiltin=typeof Uint8Array.from(
[]).toHex=="function"&&typeof Uint8Array.fromHex=="function",hexes=Array.from({length:256},(_,i)=>i.toString(16).padStart(2,"0"));function bytesToHex(bytes){if(abytes(
bytes),hasHexBuiltin)return bytes.toHex();let hex="";for(let i=0;i<bytes.length;i++)hex+=hexes[bytes[i]];return hex}function asciiToBase16(ch){return ch>=48&&ch<=
57?ch-48:ch>=65&&ch<=70?ch-55:ch>=97&&ch<=102?ch-87:void 0}function hexToBytes(hex){if(typeof hex!="string")throw new TypeError("hex string expected, got "+typeof hex);
if(hasHexBuiltin)try{return Uint8Array.fromHex(hex)}catch(error){throw error instanceof SyntaxError?new RangeError(error.message):error}let hl=hex.length,al=hl/
2;if(hl%2)throw new RangeError("hex string expected, got unpadded hex of length "+hl);let array=new Uint8Array(al);for(let ai=0,hi=0;ai<al;ai++,hi+=2){let n1=asciiToBase16(
hex.charCodeAt(hi)),n2=asciiToBase16(hex.charCodeAt(hi+1));if(n1===void 0||n2===void 0){let char=hex[hi]+hex[hi+1];throw new RangeError('hex string expected, go\
t non-hex character "'+char+'" at index '+hi)}array[ai]=n1*16+n2}return array}function utf8ToBytes(str){if(typeof str!="string")throw new TypeError("string expected");let encoded=new TextEncoder().encode(str);try{return new Uint8Array(encoded)}finally{
clean(encoded)}}function concatBytes(...arrays){let sum=0;for(let i=0;i<arrays.length;i++){let a=arrays[i];abytes(a),sum+=a.length}let res=new Uint8Array(sum);for(let i=0,pad=0;i<
arrays.length;i++){let a=arrays[i];res.set(a,pad),pad+=a.length}return res}function checkOpts(defaults,opts,title="opts"){return aopts(defaults,"defaults"),opts!==void 0&&aopts(opts,title),Object.assign(Object.create(null),defaults,opts)}
function createHasher(hashCons,info={}){if(typeof hashCons!="function")throw new TypeError('"hashCons" expected function, got type='+typeof hashCons);info=checkOpts(
{},info,"info");let hashC=(msg,opts)=>hashCons(opts).update(msg).digest(),tmp=hashCons(void 0);return hashC.outputLen=tmp.outputLen,hashC.blockLen=tmp.blockLen,
hashC.canXOF=tmp.canXOF,hashC.create=opts=>hashCons(opts),Object.assign(hashC,info),Object.freeze(hashC)}function randomBytes(bytesLength=32){anumber(bytesLength,
"bytesLength");let cr=typeof globalThis=="object"?globalThis.crypto:null;if(typeof cr?.getRandomValues!="function")throw new Error("crypto.getRandomValues must \
be defined");if(bytesLength>65536)throw new RangeError(`"bytesLength" expected <= 65536, got ${bytesLength}`);return cr.getRandomValues(new Uint8Array(bytesLength))}
var oidNist=suffix=>({oid:Uint8Array.from([6,9,96,134,72,1,101,3,4,2,suffix])});var U32_MASK64=BigInt(4294967295),_32n=BigInt(32);function fromBig(n,le=!1){return le?{h:Number(n&U32_MASK64),l:Number(n>>_32n&U32_MASK64)}:{h:Number(n>>_32n&U32_MASK64)|
0,l:Number(n&U32_MASK64)|0}}function split(lst,le=!1){let len=lst.length,Ah=new Uint32Array(len),Al=new Uint32Array(len);for(let i=0;i<len;i++){let{h,l}=fromBig(
lst[i],le);[Ah[i],Al[i]]=[h,l]}return[Ah,Al]}var fromNumH=n=>n/2**32|0,fromNumL=n=>n>>>0;function setU64FromNum(view,byteOffset,n,isLE2){let h=fromNumH(n),l=fromNumL(n);view.setUint32(byteOffset,isLE2?l:h,
isLE2),view.setUint32(byteOffset+4,isLE2?h:l,isLE2)}function Chi(a,b,c){return a&b^~a&c}function Maj(a,b,c){return a&b^a&c^b&c}var HashMD=class{blockLen;outputLen;canXOF=!1;padOffset;isLE;buffer;view;finished=!1;length=0;pos=0;destroyed=!1;constructor(blockLen,outputLen,padOffset,isLE2){
this.blockLen=blockLen,this.outputLen=outputLen,this.padOffset=padOffset,this.isLE=isLE2,this.buffer=new Uint8Array(blockLen),this.view=createView(this.buffer)}update(data){
aexists(this),abytes(data);let{view,buffer,blockLen}=this,len=data.length,processed=!1;for(let pos=0;pos<len;){let take=Math.min(blockLen-this.pos,len-pos);if(take===
blockLen){let dataView=createView(data);for(;blockLen<=len-pos;pos+=blockLen)this.process(dataView,pos);processed=!0;continue}buffer.set(pos===0&&take===len?data:
data.subarray(pos,pos+take),this.pos),this.pos+=take,pos+=take,this.pos===blockLen&&(this.process(view,0),this.pos=0,processed=!0)}return this.length+=data.length,
processed&&this.roundClean(),this}digestInto(out){aexists(this),aoutput(out,this),this.finished=!0;let{buffer,view,blockLen,isLE:isLE2}=this,{pos}=this;buffer[pos++]=
128,buffer.fill(0,pos),this.padOffset>blockLen-pos&&(this.process(view,0),buffer.fill(0)),setU64FromNum(view,blockLen-8,this.length*8,isLE2),this.process(view,0),
this.roundClean();let oview=out===buffer?view:createView(out),len=this.outputLen,outLen=len/4,state=this.get();if(len%4||outLen>state.length)throw new Error("in\
valid outputLen");for(let i=0;i<outLen;i++)oview.setUint32(4*i,state[i],isLE2)}digest(){let{buffer,outputLen}=this;this.digestInto(buffer);let res=buffer.slice(
0,outputLen);return this.destroy(),res}_cloneIntoMeta(to){let{buffer,length,finished,destroyed,pos}=this;return to.destroyed=destroyed,to.finished=finished,to.length=
length,to.pos=pos,pos&&to.buffer.set(buffer),to}clone(){return this._cloneInto()}},SHA256_IV=Uint32Array.from([1779033703,3144134277,1013904242,2773480762,1359893119,
2600822924,528734635,1541459225]);var SHA256_K=Uint32Array.from([1116352408,1899447441,3049323471,3921009573,961987163,1508970993,2453635748,2870763221,3624381080,310598401,607225278,1426881987,
1925078388,2162078206,2614888103,3248222580,3835390401,4022224774,264347078,604807628,770255983,1249150122,1555081692,1996064986,2554220882,2821834349,2952996808,
3210313671,3336571891,3584528711,113926993,338241895,666307205,773529912,1294757372,1396182291,1695183700,1986661051,2177026350,2456956037,2730485921,2820302411,
3259730800,3345764771,3516065817,3600352804,4094571909,275423344,430227734,506948616,659060556,883997877,958139571,1322822218,1537002063,1747873779,1955562222,2024104815,
2227730452,2361852424,2428436474,2756734187,3204031479,3329325298]),SHA256_W=new Uint32Array(64),SHA2_32B=class extends HashMD{A=0;B=0;C=0;D=0;E=0;F=0;G=0;H=0;constructor(outputLen,IV){
super(64,outputLen,8,!1),this.A=IV[0]|0,this.B=IV[1]|0,this.C=IV[2]|0,this.D=IV[3]|0,this.E=IV[4]|0,this.F=IV[5]|0,this.G=IV[6]|0,this.H=IV[7]|0}get(){let{A,B,C,
D,E,F,G,H}=this;return[A,B,C,D,E,F,G,H]}set(A,B,C,D,E,F,G,H){this.A=A|0,this.B=B|0,this.C=C|0,this.D=D|0,this.E=E|0,this.F=F|0,this.G=G|0,this.H=H|0}_cloneInto(to){
return(to||=new this.constructor).set(...this.get()),this._cloneIntoMeta(to)}process(view,offset){for(let i=0;i<16;i++,offset+=4)SHA256_W[i]=view.getUint32(offset,
!1);for(let i=16;i<64;i++){let W15=SHA256_W[i-15],W2=SHA256_W[i-2],s0=rotr(W15,7)^rotr(W15,18)^W15>>>3,s1=rotr(W2,17)^rotr(W2,19)^W2>>>10;SHA256_W[i]=s1+SHA256_W[i-
7]+s0+SHA256_W[i-16]|0}let{A,B,C,D,E,F,G,H}=this;for(let i=0;i<64;i++){let sigma1=rotr(E,6)^rotr(E,11)^rotr(E,25),T1=H+sigma1+Chi(E,F,G)+SHA256_K[i]+SHA256_W[i]|
0,T2=(rotr(A,2)^rotr(A,13)^rotr(A,22))+Maj(A,B,C)|0;H=G,G=F,F=E,E=D+T1|0,D=C,C=B,B=A,A=T1+T2|0}A=A+this.A|0,B=B+this.B|0,C=C+this.C|0,D=D+this.D|0,E=E+this.E|0,
F=F+this.F|0,G=G+this.G|0,H=H+this.H|0,this.set(A,B,C,D,E,F,G,H)}roundClean(){clean(SHA256_W)}destroy(){this.destroyed=!0,this.set(0,0,0,0,0,0,0,0),clean(this.buffer)}},
_SHA256=class extends SHA2_32B{constructor(){super(32,SHA256_IV)}};var sha256=createHasher(()=>new _SHA256,oidNist(1));function aarray(item,title,inner=()=>{}){if(!Array.isArray(item))throw new TypeError(`"${title}" expected array, got type=${typeof item}`);for(let i=0;i<item.length;i++)
inner(item[i],`${title}[${i}]`);return item}var abytes2=(value,length,title)=>abytes(value,length,title),anumber2=anumber;function astring(value,title=""){if(typeof value!=
"string"){let prefix=title&&`"${title}" `;throw new TypeError(prefix+"expected string, got type="+typeof value)}return value}function aobject2(value,title="obje\
ct"){if(value===null||typeof value!="object"||Array.isArray(value))throw new TypeError(title==="object"?"expected valid options object":`"${title}" expected obj\
ect, got type=${typeof value}`);return value}function afunction(value,title){if(typeof value!="function")throw new TypeError(`"${title}" is invalid: expected fu\
nction, got ${typeof value}`);return value}var bytesToHex2=bytesToHex,concatBytes2=(...arrays)=>concatBytes(...arrays),hexToBytes2=hex=>hexToBytes(hex),isBytes2=isBytes,
randomBytes2=bytesLength=>randomBytes(bytesLength),_0n=BigInt(0),_1n=BigInt(1),atitle2=title=>title?`"${title}" `:"";function abool2(value,title=""){if(typeof value!=
"boolean")throw new TypeError(atitle2(title)+"expected boolean, got type="+typeof value);return value}function abignumber(n){if(typeof n=="bigint"){if(!isPosBig(
n))throw new RangeError("positive bigint expected, got "+n)}else anumber2(n);return n}function asafenumber(value,title=""){if(typeof value!="number"){let prefix=title&&
`"${title}" `;throw new TypeError(prefix+"expected number, got type="+typeof value)}if(!Number.isSafeInteger(value)){let prefix=title&&`"${title}" `;throw new RangeError(
prefix+"expected safe integer, got "+value)}}function numberToHexUnpadded(num){let hex=abignumber(num).toString(16);return hex.length&1?"0"+hex:hex}function hexToNumber(hex){
if(typeof hex!="string")throw new TypeError("hex string expected, got "+typeof hex);return hex===""?_0n:BigInt("0x"+hex)}function bytesToNumberBE(bytes){return hexToNumber(
bytesToHex(bytes))}function bytesToNumberLE(bytes){return hexToNumber(bytesToHex(copyBytes(abytes(bytes)).reverse()))}function numberToBytesBE(n,len){if(anumber(
len),len===0)throw new Error("zero output length is invalid");n=abignumber(n);let expectedLen=len*2,hex=n.toString(16);if(hex.length>expectedLen)throw new RangeError(
"number is too large");return hexToBytes(hex.padStart(expectedLen,"0"))}function numberToBytesLE(n,len){return numberToBytesBE(n,len).reverse()}function copyBytes(bytes){return Uint8Array.from(abytes2(bytes))}function asciiToBytes(ascii){if(typeof ascii!="string")throw new TypeError("ascii string expect\
ed, got "+typeof ascii);return Uint8Array.from(ascii,(c,i)=>{let charCode=c.charCodeAt(0);if(c.length!==1||charCode>127)throw new RangeError(`string contains no\
n-ASCII character "${ascii[i]}" with code ${charCode} at position ${i}`);return charCode})}function isPosBig(n){return typeof n=="bigint"&&_0n<=n}function inRange(n,min,max){
return isPosBig(n)&&isPosBig(min)&&isPosBig(max)&&min<=n&&n<max}function aInRange(title,n,min,max){if(!inRange(n,min,max))throw new RangeError("expected valid "+
title+": "+min+" <= n < "+max+", got "+n)}function bitLen(n){if(n<_0n)throw new Error("expected non-negative bigint, got "+n);return n===_0n?0:n.toString(2).length}
function bitGet(n,pos){if(typeof n!="bigint")throw new TypeError('"n" expected bigint, got type='+typeof n);return asafenumber(pos,"pos"),n>>BigInt(pos)&_1n}var bitMask=n=>(asafenumber(n,"n"),(_1n<<BigInt(n))-_1n);function createHmacDrbg(hashLen,qByteLen,hmacFn){if(anumber(hashLen,"hashLen"),anumber(qByteLen,"qByteL\
en"),typeof hmacFn!="function")throw new TypeError("hmacFn must be a function");let u8n=len=>new Uint8Array(len),NULL=Uint8Array.of(),byte0=Uint8Array.of(0),byte1=Uint8Array.
of(1),_maxDrbgIters=1e3,v=u8n(hashLen),k=u8n(hashLen),i=0,reset=()=>{v.fill(1),k.fill(0),i=0},h=(...msgs)=>hmacFn(k,concatBytes2(v,...msgs)),reseed=(seed=NULL)=>{
k=h(byte0,seed),v=h(),seed.length!==0&&(k=h(byte1,seed),v=h())},gen=()=>{if(i++>=_maxDrbgIters)throw new Error("drbg: tried max amount of iterations");let len=0,
out=[];for(;len<qByteLen;){v=h();let sl=v.slice();out.push(sl),len+=v.length}return concatBytes2(...out)};return(seed,pred)=>{reset(),reseed(seed);let res;for(;(res=
pred(gen()))===void 0;)reseed();return reset(),res}}function validateObject(object,fields2={},optFields={},title="object"){aobject2(object,title),aobject2(fields2,
"fields"),aobject2(optFields,"optFields");function checkField(fieldName,expectedType,isOpt){let label=title==="object"?`param "${String(fieldName)}"`:`"${title}\
.${String(fieldName)}"`,val=object[fieldName];if(!Object.hasOwn(object,fieldName)&&(isOpt?val!==void 0:expectedType!=="function"))throw new TypeError(`${label} \
is invalid: expected own property`);if(isOpt&&val===void 0)return;let current=typeof val;if(current!==expectedType||val===null)throw new TypeError(`${label} is \
invalid: expected ${expectedType}, got ${current}`)}let iter=(f,isOpt)=>Object.entries(f).forEach(([k,v])=>checkField(k,v,isOpt));iter(fields2,!1),iter(optFields,
!0)}var notImplemented=()=>{throw new Error("not implemented")};var _0n2=BigInt(0),_1n2=BigInt(1),_2n=BigInt(2),_3n=BigInt(3),_4n=BigInt(4),_5n=BigInt(5),_7n=BigInt(7),_8n=BigInt(8),_9n=BigInt(9),_15n=BigInt(15),_16n=BigInt(
16),POW_WINDOWED_MIN=BigInt("0x10000000000000000");function mod(a,b){if(b<=_0n2)throw new Error("mod: expected positive modulus, got "+b);let result=a%b;return result>=
_0n2?result:b+result}function pow(num,power,modulo){if(modulo<=_1n2)throw new Error("pow: expected modulus > 1, got "+modulo);if(typeof power!="bigint")throw new TypeError(
"invalid exponent: expected bigint, got "+typeof power);if(power<_0n2)throw new Error("invalid exponent, negatives unsupported");if(power===_0n2)return _1n2;if(power===
_1n2)return num;let d=num%modulo;if(d<_0n2&&(d+=modulo),power<POW_WINDOWED_MIN){let p2=_1n2;for(;power>_0n2;)power&_1n2&&(p2=p2*d%modulo),d=d*d%modulo,power>>=_1n2;
return p2}let digits=[];for(;power>_0n2;)digits.push(Number(power&_15n)),power>>=_4n;let table=new Array(16);table[0]=_1n2,table[1]=d;for(let i=2;i<16;i++)table[i]=
table[i-1]*d%modulo;let p=table[digits[digits.length-1]];for(let w=digits.length-2;w>=0;w--){p=p*p%modulo,p=p*p%modulo,p=p*p%modulo,p=p*p%modulo;let digit=digits[w];
digit!==0&&(p=p*table[digit]%modulo)}return p}function pow2(x,power,modulo){if(modulo<=_1n2)throw new Error("pow2: expected modulus > 1, got "+modulo);if(power<
_0n2)throw new Error("pow2: expected non-negative exponent, got "+power);let res=x;for(;power-- >_0n2;)res*=res,res%=modulo;return res}function invert(number,modulo){
if(number===_0n2)throw new Error("invert: expected non-zero number");if(modulo<=_1n2)throw new Error("invert: expected modulus > 1, got "+modulo);let a=mod(number,
modulo),b=modulo,x=_0n2,u=_1n2;for(;a!==_0n2;){let q=b/a,r=b-a*q,m=x-u*q;b=a,a=r,x=u,u=m}if(b!==_1n2)throw new Error("invert: does not exist");return mod(x,modulo)}
function invertCt(a,prime){if(prime<=_1n2)throw new Error("invertCt: expected prime modulus > 1, got "+prime);let an=mod(a,prime);if(an===_0n2)throw new Error("\
invertCt: expected non-zero number");let inverse=pow(an,prime-_2n,prime);if(mod(an*inverse,prime)!==_1n2)throw new Error("invertCt: does not exist");return inverse}
function assertIsSquare(Fp3,root,n){let F=Fp3;if(!F.eql(F.sqr(root),n))throw new Error("Cannot find square root")}function aoddModulus(order,fnName){if((order&_1n2)===
_0n2)throw new Error(fnName+": expected odd modulus, got "+order)}function sqrt3mod4(Fp3,n){let F=Fp3,p1div4=(F.ORDER+_1n2)/_4n,root=F.pow(n,p1div4);return assertIsSquare(
F,root,n),root}function sqrt5mod8(Fp3,n){let F=Fp3,p5div8=(F.ORDER-_5n)/_8n,n2=F.mul(n,_2n),v=F.pow(n2,p5div8),nv=F.mul(n,v),i=F.mul(F.mul(nv,_2n),v),root=F.mul(
nv,F.sub(i,F.ONE));return assertIsSquare(F,root,n),root}function sqrt9mod16(P){let Fp_=Field(P),tn=tonelliShanks(P),c1=tn(Fp_,Fp_.neg(Fp_.ONE)),c2=tn(Fp_,c1),c3=tn(
Fp_,Fp_.neg(c1)),c4=(P+_7n)/_16n;return((Fp3,n)=>{let F=Fp3,tv1=F.pow(n,c4),tv2=F.mul(tv1,c1),tv3=F.mul(tv1,c2),tv4=F.mul(tv1,c3),e1=F.eql(F.sqr(tv2),n),e2=F.eql(
F.sqr(tv3),n);tv1=F.cmov(tv1,tv2,e1),tv2=F.cmov(tv4,tv3,e2);let e3=F.eql(F.sqr(tv2),n),root=F.cmov(tv1,tv2,e3);return assertIsSquare(F,root,n),root})}function tonelliShanks(P){
if(P<_3n)throw new Error("sqrt is not defined for small field");aoddModulus(P,"tonelliShanks");let Q=P-_1n2,S=0;for(;Q%_2n===_0n2;)Q/=_2n,S++;let Z=_2n,_Fp=Field(
P);for(;FpLegendre(_Fp,Z)===1;)if(Z++>1e3)throw new Error("Cannot find square root: probably non-prime P");if(S===1)return sqrt3mod4;let cc=_Fp.pow(Z,Q),Q1div2=(Q+
_1n2)/_2n;return function(Fp3,n){let F=Fp3;if(F.is0(n))return n;if(FpLegendre(F,n)!==1)throw new Error("Cannot find square root");let M=S,c=F.mul(F.ONE,cc),t=F.
pow(n,Q),R=F.pow(n,Q1div2);for(;!F.eql(t,F.ONE);){if(F.is0(t))throw new Error("Cannot find square root: probably non-prime P");let i=1,t_tmp=F.sqr(t);for(;!F.eql(
t_tmp,F.ONE);)if(i++,t_tmp=F.sqr(t_tmp),i===M)throw new Error("Cannot find square root");let exponent=_1n2<<BigInt(M-i-1),b=F.pow(c,exponent);M=i,c=F.sqr(b),t=F.
mul(t,c),R=F.mul(R,b)}return R}}function FpSqrt(P){return aoddModulus(P,"Fp.sqrt"),P%_4n===_3n?sqrt3mod4:P%_8n===_5n?sqrt5mod8:P%_16n===_9n?sqrt9mod16(P):tonelliShanks(
P)}var FIELD_FIELDS=["create","isValid","is0","neg","inv","sqrt","sqr","eql","add","sub","mul","pow","div","addN","subN","mulN","sqrN"];function validateField(field){
if(aobject2(field,"field"),typeof field.ORDER!="bigint")throw new TypeError('param "ORDER" is invalid: expected bigint, got '+typeof field.ORDER);asafenumber(field.
BYTES,"BYTES"),asafenumber(field.BITS,"BITS");for(let name of FIELD_FIELDS)afunction(field[name],"field."+name);if(field.BYTES<1||field.BITS<1)throw new Error("\
invalid field: expected BYTES/BITS > 0");if(field.ORDER<=_1n2)throw new Error("invalid field: expected ORDER > 1, got "+field.ORDER);return field}function FpPow(Fp3,num,power){
validateField(Fp3);let F=Fp3;if(typeof power!="bigint")throw new TypeError("invalid exponent: expected bigint, got "+typeof power);if(power<_0n2)throw new Error(
"invalid exponent, negatives unsupported");if(power===_0n2)return F.ONE;if(power===_1n2)return num;if(power<POW_WINDOWED_MIN){let p2=F.ONE,d=num;for(;power>_0n2;)
power&_1n2&&(p2=F.mul(p2,d)),d=F.sqr(d),power>>=_1n2;return p2}let digits=[];for(;power>_0n2;)digits.push(Number(power&_15n)),power>>=_4n;let table=new Array(16);
table[0]=F.ONE,table[1]=num;for(let i=2;i<16;i++)table[i]=F.mul(table[i-1],num);let p=table[digits[digits.length-1]];for(let w=digits.length-2;w>=0;w--){p=F.sqr(
F.sqr(F.sqr(F.sqr(p))));let digit=digits[w];digit!==0&&(p=F.mul(p,table[digit]))}return p}function FpInvertBatch(Fp3,nums,passZero=!1){validateField(Fp3),aarray(
nums,"nums"),abool2(passZero,"passZero");let F=Fp3,inverted=new Array(nums.length).fill(passZero?F.ZERO:void 0),multipliedAcc=nums.reduce((acc,num,i)=>F.is0(num)?
acc:(inverted[i]=acc,F.mul(acc,num)),F.ONE),invertedAcc=F.inv(multipliedAcc);return nums.reduceRight((acc,num,i)=>F.is0(num)?acc:(inverted[i]=F.mul(acc,inverted[i]),
F.mul(acc,num)),invertedAcc),inverted}function FpLegendre(Fp3,n){validateField(Fp3);let F=Fp3;aoddModulus(F.ORDER,"FpLegendre");let p1mod2=(F.ORDER-_1n2)/_2n,powered=F.pow(n,p1mod2),yes=F.eql(powered,
F.ONE),zero=F.eql(powered,F.ZERO),no=F.eql(powered,F.neg(F.ONE));if(!yes&&!zero&&!no)throw new Error("invalid Legendre symbol result");return yes?1:zero?0:-1}function FpIsSquare(Fp3,n){
return FpLegendre(Fp3,n)!==-1}function nLength(n,nBitLength){if(nBitLength!==void 0&&anumber2(nBitLength),n<=_0n2)throw new Error("invalid n length: expected po\
sitive n, got "+n);if(nBitLength!==void 0&&nBitLength<1)throw new Error("invalid n length: expected positive bit length, got "+nBitLength);let bits=bitLen(n);if(nBitLength!==
void 0&&nBitLength<bits)throw new Error(`invalid n length: expected nBitLength (${nBitLength}) >= bitLen(n) (${bits})`);let _nBitLength=nBitLength!==void 0?nBitLength:
bits,nByteLength=Math.ceil(_nBitLength/8);return{nBitLength:_nBitLength,nByteLength}}var FIELD_SQRT=new WeakMap,_Field=class{ORDER;BITS;BYTES;isLE;ZERO=_0n2;ONE=_1n2;_lengths;_mod;constructor(ORDER,opts={}){
if(ORDER<=_1n2)throw new Error("invalid field: expected ORDER > 1, got "+ORDER);let _nbitLength;this.isLE=!1,opts!=null&&typeof opts=="object"&&(typeof opts.BITS==
"number"&&(_nbitLength=opts.BITS),typeof opts.sqrt=="function"&&Object.defineProperty(this,"sqrt",{value:opts.sqrt,enumerable:!0}),typeof opts.isLE=="boolean"&&
(this.isLE=opts.isLE),opts.allowedLengths&&(this._lengths=Object.freeze(opts.allowedLengths.slice())),typeof opts.modFromBytes=="boolean"&&(this._mod=opts.modFromBytes));
let{nBitLength,nByteLength}=nLength(ORDER,_nbitLength);if(nByteLength>2048)throw new Error("invalid field: expected ORDER of <= 2048 bytes");this.ORDER=ORDER,this.
BITS=nBitLength,this.BYTES=nByteLength,Object.freeze(this)}create(num){return mod(num,this.ORDER)}isValid(num){if(typeof num!="bigint")throw new TypeError("inva\
lid field element: expected bigint, got "+typeof num);return _0n2<=num&&num<this.ORDER}is0(num){return num===_0n2}isValidNot0(num){return!this.is0(num)&&this.isValid(
num)}isOdd(num){return(num&_1n2)===_1n2}neg(num){return mod(-num,this.ORDER)}eql(lhs,rhs){return lhs===rhs}sqr(num){return mod(num*num,this.ORDER)}add(lhs,rhs){
return mod(lhs+rhs,this.ORDER)}sub(lhs,rhs){return mod(lhs-rhs,this.ORDER)}mul(lhs,rhs){return mod(lhs*rhs,this.ORDER)}pow(num,power){return pow(num,power,this.
ORDER)}div(lhs,rhs){return mod(lhs*invert(rhs,this.ORDER),this.ORDER)}sqrN(num){return num*num}addN(lhs,rhs){return lhs+rhs}subN(lhs,rhs){return lhs-rhs}mulN(lhs,rhs){
return lhs*rhs}inv(num){return invert(num,this.ORDER)}sqrt(num){let sqrt=FIELD_SQRT.get(this);return sqrt||FIELD_SQRT.set(this,sqrt=FpSqrt(this.ORDER)),sqrt(this,
num)}toBytes(num){return this.isLE?numberToBytesLE(num,this.BYTES):numberToBytesBE(num,this.BYTES)}fromBytes(bytes,skipValidation=!1){abytes2(bytes);let{_lengths:allowedLengths,
BYTES,isLE:isLE2,ORDER,_mod:modFromBytes}=this;if(allowedLengths){if(bytes.length<1||!allowedLengths.includes(bytes.length)||bytes.length>BYTES)throw new Error(
"Field.fromBytes: expected "+allowedLengths+" bytes, got "+bytes.length);let padded=new Uint8Array(BYTES);padded.set(bytes,isLE2?0:padded.length-bytes.length),bytes=
padded}if(bytes.length!==BYTES)throw new Error("Field.fromBytes: expected "+BYTES+" bytes, got "+bytes.length);let scalar=isLE2?bytesToNumberLE(bytes):bytesToNumberBE(
bytes);if(modFromBytes&&(scalar=mod(scalar,ORDER)),!skipValidation&&!this.isValid(scalar))throw new Error("invalid field element: outside of range 0..ORDER");return scalar}invertBatch(lst){
return FpInvertBatch(this,lst,!0)}cmov(a,b,condition){return abool2(condition,"condition"),condition?b:a}};function Field(ORDER,opts={}){return Object.freeze(_Field.
prototype),new _Field(ORDER,opts)}function getFieldBytesLength(fieldOrder){if(typeof fieldOrder!="bigint")throw new Error("field order must be bigint");if(fieldOrder<=_1n2)throw new Error("field\
 order must be greater than 1");let bitLength=bitLen(fieldOrder-_1n2);return Math.ceil(bitLength/8)}function getMinHashLength(fieldOrder){let length=getFieldBytesLength(
fieldOrder);return length+Math.ceil(length/2)}function mapHashToField(key,fieldOrder,isLE2=!1){abytes2(key);let len=key.length,fieldLen=getFieldBytesLength(fieldOrder),
minLen=Math.max(getMinHashLength(fieldOrder),16);if(len<minLen||len>1024)throw new Error("expected "+minLen+"-1024 bytes of input, got "+len);let num=isLE2?bytesToNumberLE(
key):bytesToNumberBE(key),reduced=mod(num,fieldOrder-_1n2)+_1n2;return isLE2?numberToBytesLE(reduced,fieldLen):numberToBytesBE(reduced,fieldLen)}var _0n3=BigInt(0),_1n3=BigInt(1),_4n2=BigInt(4),BLIND_BYTES=16,BLIND_BITS=128,FW_WINDOW=5,TABLE_BYTES_MAX=2**31;function validatePointCons(Point){let pc=Point;
if(typeof pc!="function")throw new TypeError('"Point" expected constructor, got type='+typeof Point);afunction(pc.fromAffine,"Point.fromAffine"),afunction(pc.fromBytes,
"Point.fromBytes"),afunction(pc.fromHex,"Point.fromHex"),aobject2(pc.BASE,"Point.BASE"),aobject2(pc.ZERO,"Point.ZERO"),validateField(pc.Fp),validateField(pc.Fn)}
function normalizeZ(c,points){validatePointCons(c),validateMSMPoints(points,c);let invertedZs=FpInvertBatch(c.Fp,points.map(p=>p.Z));return points.map((p,i)=>c.
fromAffine(p.toAffine(invertedZs[i])))}function validateW(W,bits,min=1){if(!Number.isSafeInteger(W)||W<min||W>bits)throw new Error("invalid window size, expecte\
d ["+min+".."+bits+"], got W="+W)}function validateTableBytes(numPoints,fpBytes){let bytes=numPoints*(4*fpBytes+128);if(bytes>TABLE_BYTES_MAX)throw new Error("i\
nvalid window size: table would need ~"+Math.ceil(bytes/2**20)+" MiB, max "+TABLE_BYTES_MAX/2**20+" MiB")}function probeRandomBytes(randomBytes3,length){if(randomBytes3!==
void 0){afunction(randomBytes3,"randomBytes");try{let probe=randomBytes3(length);if(!isBytes2(probe)||probe.length!==length)return}catch{return}return randomBytes3}}
function validateMSMPoints(points,c){aarray(points,"points"),points.forEach((p,i)=>{if(!(p instanceof c))throw new Error("invalid point at index "+i)})}function validateMSMScalars(scalars,field,maxScalar){
if(!Array.isArray(scalars))throw new Error("array of scalars expected");scalars.forEach((s,i)=>{if(!(maxScalar===void 0?field.isValid(s):isPosBig(s)&&s<maxScalar))
throw new Error("invalid scalar at index "+i)})}var pointWindowSizes=new WeakMap;function getWindowSize(P){return pointWindowSizes.get(P)||1}function oddMultiples(p,size){
let dbl=p.double(),t=[p];for(let j=1;j<size;j++)t.push(t[j-1].add(dbl));return t}function wnafDigits(n,W){let size=2**W,half=size/2,mask=BigInt(size-1),d=[];for(;n>
_0n3;){let w=0;n&_1n3&&(w=Number(n&mask),w>=half&&(w-=size),n-=BigInt(w)),d.push(w),n>>=_1n3}return d}function signedWindowDigits(n,W,windows){let size=2**W,half=size/
2,mask=BigInt(size-1),shiftBy=BigInt(W),d=[];for(let w=0;w<windows;w++){let v=Number(n&mask);n>>=shiftBy,v>half&&(v-=size,n+=_1n3),d.push(v)}if(n!==_0n3)throw new Error(
"invalid wnaf");return d}function wnafWalk(zero,tables,digits){let max=0;for(let d of digits)max=Math.max(max,d.length);let acc=zero;for(let bit=max-1;bit>=0;bit--){
bit!==max-1&&(acc=acc.double());for(let i=0;i<digits.length;i++){let w=digits[i][bit];if(w){let item=tables[i][Math.abs(w)-1>>1];acc=acc.add(w<0?item.negate():item)}}}
return acc}var ScalarMultiplier=class{Point;BASE;ZERO;randomBytes;wnafPrecomputes=new WeakMap;baseCanBeBlinded;bits;constructor(Point,randomBytes3){validatePointCons(
Point),this.randomBytes=probeRandomBytes(randomBytes3,BLIND_BYTES),this.Point=Point,this.BASE=Point.BASE,this.ZERO=Point.ZERO,this.bits=Point.Fn.BITS}buildWnafTable(point,W,bits){
let windows=Math.ceil(bits/W)+1,half=2**(W-1),comp=[],base=point;for(let w=0;w<windows;w++){let acc=base;for(let i=0;i<half;i++)comp.push(acc),acc=acc.add(base);
base=comp[comp.length-1].double()}return{W,bits,windows,comp}}wnafCachedCT(precomputes,n){let{W,windows,comp}=precomputes,half=2**(W-1),digits=signedWindowDigits(
n,W,windows),p=this.ZERO,f=this.BASE;for(let w=0;w<windows;w++){let digit=digits[w],start=w*half,idx=Math.abs(digit)-1,sel=comp[start];for(let i=1;i<half;i++)sel=
i===idx?comp[start+i]:sel;let neg=sel.negate();digit===0?f=f.add(comp[start]):p=p.add(digit<0?neg:sel)}return{p,f}}getWnafPrecomputes(W,point,bits,transform){let entries=this.
wnafPrecomputes.get(point),comp=entries?.find(entry=>entry.W===W&&entry.bits===bits);return comp||(comp=this.buildWnafTable(point,W,bits),typeof transform=="fun\
ction"&&(comp={...comp,comp:transform(comp.comp)}),entries||(entries=[],this.wnafPrecomputes.set(point,entries)),entries.push(comp)),comp}assertPoint(point){if(!(point instanceof
this.Point))throw new TypeError('"point" expected Point instance, got type='+typeof point)}validateMulInput(point,scalar){if(this.assertPoint(point),!inRange(scalar,
_1n3,this.Point.Fn.ORDER))throw new Error("invalid scalar")}runCT(point,n,bits,transform){let W=getWindowSize(point);return W===1?this.fixedWindowCT(point,n,bits):
this.wnafCachedCT(this.getWnafPrecomputes(W,point,bits,transform),n)}mulCT(point,scalar,transform){return this.validateMulInput(point,scalar),this.runCT(point,scalar,
this.bits,transform)}mulCTBlinded(point,scalar,transform){if(this.validateMulInput(point,scalar),this.randomBytes===void 0)throw new Error("randomBytes is requi\
red for scalar blinding");let bits=this.Point.Fn.BITS+BLIND_BITS,blind=this.randomBytes(BLIND_BYTES);if(!isBytes2(blind)||blind.length!==BLIND_BYTES)throw new Error(
"randomBytes returned invalid byte array");blind[0]=blind[0]&63|128;let n=scalar+bytesToNumberBE(blind)*this.Point.Fn.ORDER;return this.runCT(point,n,bits,transform)}fixedWindowCT(point,n,bits){
let W=FW_WINDOW,size=1<<W,mask=bitMask(W),table=new Array(size);table[0]=this.ZERO;for(let i=1;i<size;i++)table[i]=table[i-1].add(point);let windows=Math.ceil(bits/
W),acc=this.ZERO;for(let window=windows-1;window>=0;window--){if(window!==windows-1)for(let d=0;d<W;d++)acc=acc.double();let digit=Number(n>>BigInt(window*W)&mask),
sel=table[0];for(let i=1;i<size;i++)sel=i===digit?table[i]:sel;acc=acc.add(sel)}return{p:acc,f:acc}}shouldBlind(point,cofactor){return this.randomBytes===void 0?
!1:cofactor===_1n3?!0:point!==this.BASE?!1:(this.baseCanBeBlinded===void 0&&(this.baseCanBeBlinded=this.mulUnsafe(this.BASE,this.Point.Fn.ORDER).is0()),this.baseCanBeBlinded)}mulSecret(point,scalar,cofactor,transform){
return this.shouldBlind(point,cofactor)?this.mulCTBlinded(point,scalar,transform):this.mulCT(point,scalar,transform)}mulUnsafe(point,scalar,transform){if(this.assertPoint(
point),!isPosBig(scalar))throw new Error("invalid scalar");let W=getWindowSize(point);if(W===1||scalar>=this.Point.Fn.ORDER)return mulAddUnsafe(this.Point,[point],
[scalar],!0);let precomputes=this.getWnafPrecomputes(W,point,this.bits,transform);return this.wnafCachedCT(precomputes,scalar).p}setWindowSize(point,W){this.assertPoint(
point),validateW(W,this.bits);let windows=Math.ceil((this.bits+BLIND_BITS)/W)+1;validateTableBytes(windows*2**(W-1),this.Point.Fp.BYTES),pointWindowSizes.set(point,
W),this.wnafPrecomputes.delete(point)}hasWindowSize(point){return getWindowSize(point)!==1}};function mulAddUnsafe(c,points,scalars,allowOversized=!1){if(validatePointCons(
c),validateMSMPoints(points,c),abool2(allowOversized,"allowOversized"),validateMSMScalars(scalars,c.Fn,allowOversized?c.Fn.ORDER**_4n2:void 0),points.length!==scalars.
length)throw new Error("arrays of points and scalars must have equal length");let tables=points.map(p=>oddMultiples(p,4)),digits=scalars.map(n=>wnafDigits(n,4));
return wnafWalk(c.ZERO,tables,digits)}function interleavedMSMUnsafe(c,points,windowSize){validatePointCons(c);let fieldN=c.Fn;validateW(windowSize,fieldN.BITS,2),validateMSMPoints(points,c),validateTableBytes(
points.length*2**(windowSize-2),c.Fp.BYTES);let tables=points.map(p=>oddMultiples(p,2**(windowSize-2)));return scalars=>{if(validateMSMScalars(scalars,fieldN),scalars.
length>points.length)throw new Error("array of scalars must not be larger than array of points");return wnafWalk(c.ZERO,tables,scalars.map(n=>wnafDigits(n,windowSize)))}}
function createField(order,field,isLE2){if(field){if(field.ORDER!==order)throw new Error("Field.ORDER must match order: Fp == p, Fn == n");return validateField(
field),field}else return Field(order,{isLE:isLE2})}function createCurveFields(type,CURVE,curveOpts={},FpFnLE){if(type!=="weierstrass"&&type!=="edwards")throw new Error(
'expected curve type "weierstrass" or "edwards"');if(FpFnLE===void 0&&(FpFnLE=type==="edwards"),!CURVE||typeof CURVE!="object")throw new Error(`expected valid ${type}\
 CURVE object`);validateObject(curveOpts);for(let p of["p","n","h"]){let val=CURVE[p];if(!(isPosBig(val)&&val!==_0n3))throw new Error(`CURVE.${p} must be positi\
ve bigint`)}let Fp3=createField(CURVE.p,curveOpts.Fp,FpFnLE),Fn=createField(CURVE.n,curveOpts.Fn,FpFnLE),params=["Gx","Gy","a",type==="weierstrass"?"b":"d"];for(let p of params)
if(!Fp3.isValid(CURVE[p]))throw new Error(`CURVE.${p} must be valid field element of CURVE.Fp`);return CURVE=Object.freeze(Object.assign({},CURVE)),{CURVE,Fp:Fp3,
Fn}}function createKeygen(randomSecretKey,getPublicKey){return function(seed){let secretKey=randomSecretKey(seed);return{secretKey,publicKey:getPublicKey(secretKey)}}}var _0n4=BigInt(0),_1n4=BigInt(1),_2n2=BigInt(2),_3n2=BigInt(3),_4n3=BigInt(4),os2ip=bytesToNumberBE;function i2osp(value,length){if(asafenumber(value),asafenumber(
length),length<0||length>4)throw new Error("invalid I2OSP length: "+length);if(value<0||value>2**(8*length)-1)throw new Error("invalid I2OSP input: "+value);let res=Array.
from({length}).fill(0);for(let i=length-1;i>=0;i--)res[i]=value&255,value>>>=8;return new Uint8Array(res)}function strxor(a,b){let arr=new Uint8Array(a.length);
for(let i=0;i<a.length;i++)arr[i]=a[i]^b[i];return arr}function normDST(DST){if(!isBytes2(DST)&&typeof DST!="string")throw new Error("DST must be Uint8Array or \
ascii string");let dst=typeof DST=="string"?asciiToBytes(DST):DST;if(dst.length===0)throw new Error("DST must be non-empty");return dst}function expand_message_xmd(msg,DST,lenInBytes,H){
if(abytes2(msg),asafenumber(lenInBytes),typeof H!="function")throw new Error("expand_message_xmd: expected hash function");asafenumber(H.outputLen,"hash.outputL\
en"),asafenumber(H.blockLen,"hash.blockLen"),DST=normDST(DST),DST.length>255&&(DST=H(concatBytes2(asciiToBytes("H2C-OVERSIZE-DST-"),DST)));let{outputLen:b_in_bytes,
blockLen:r_in_bytes}=H,ell=Math.ceil(lenInBytes/b_in_bytes);if(lenInBytes>65535||ell>255)throw new Error("expand_message_xmd: invalid lenInBytes");let DST_prime=concatBytes2(
DST,i2osp(DST.length,1)),Z_pad=new Uint8Array(r_in_bytes),l_i_b_str=i2osp(lenInBytes,2),b=new Array(ell),b_0=H(concatBytes2(Z_pad,msg,l_i_b_str,i2osp(0,1),DST_prime));
b[0]=H(concatBytes2(b_0,i2osp(1,1),DST_prime));for(let i=1;i<ell;i++){let args=[strxor(b_0,b[i-1]),i2osp(i+1,1),DST_prime];b[i]=H(concatBytes2(...args))}return concatBytes2(
...b).slice(0,lenInBytes)}function expand_message_xof(msg,DST,lenInBytes,k,H){if(abytes2(msg),asafenumber(lenInBytes),asafenumber(k,"k"),k<0)throw new Error("ex\
pand_message_xof: invalid k");if(typeof H!="function")throw new Error("expand_message_xof: expected XOF function");if(typeof H.create!="function")throw new Error(
"expand_message_xof: expected XOF create");if(DST=normDST(DST),lenInBytes<0||lenInBytes>65535)throw new Error("expand_message_xof: invalid lenInBytes");if(DST.length>
255){let dkLen=Math.ceil(2*k/8);DST=H.create({dkLen}).update(asciiToBytes("H2C-OVERSIZE-DST-")).update(DST).digest()}if(DST.length>255)throw new Error("expand_m\
essage_xof: invalid DST");return H.create({dkLen:lenInBytes}).update(msg).update(i2osp(lenInBytes,2)).update(DST).update(i2osp(DST.length,1)).digest()}function hash_to_field(msg,count,options){
validateObject(options,{p:"bigint",m:"number",k:"number",hash:"function"});let{p,k,m,hash,expand,DST}=options;if(asafenumber(hash.outputLen,"valid hash"),abytes2(
msg),asafenumber(count),asafenumber(m,"m"),asafenumber(k,"k"),p<=BigInt(1))throw new Error("hash_to_field: expected valid field characteristic");if(count<1)throw new Error(
"hash_to_field: expected count >= 1");if(m<1)throw new Error("hash_to_field: expected m >= 1");if(k<0)throw new Error("hash_to_field: invalid k");let log2p=p.toString(
2).length,L=Math.ceil((log2p+k)/8),len_in_bytes=count*m*L,prb;if(expand==="xmd")prb=expand_message_xmd(msg,DST,len_in_bytes,hash);else if(expand==="xof")prb=expand_message_xof(
msg,DST,len_in_bytes,k,hash);else if(expand==="_internal_pass")prb=msg;else throw new Error('expand must be "xmd" or "xof"');let u=new Array(count);for(let i=0;i<
count;i++){let e=new Array(m);for(let j=0;j<m;j++){let elm_offset=L*(j+i*m),tv=prb.subarray(elm_offset,elm_offset+L);e[j]=mod(os2ip(tv),p)}u[i]=e}return u}function isogenyMap(field,map){
validateField(field),aarray(map,"map");let coeff=map.map((i,row)=>{if(aarray(i,"map["+row+"]"),i.length<1)throw new Error("isogenyMap: expected non-empty coeffi\
cients");return Array.from(i).reverse()});return(x,y)=>{let[xn,xd,yn,yd]=coeff.map(val=>val.reduce((acc,i)=>field.add(field.mul(acc,x),i))),isZero=field.is0(xd)||
field.is0(yd),[xd_inv,yd_inv]=FpInvertBatch(field,[xd,yd],!0);return x=field.mul(xn,xd_inv),y=field.mul(y,field.mul(yn,yd_inv)),isZero?{x:field.ZERO,y:field.ZERO}:
{x,y}}}var _DST_scalar="HashToScalar-";function createHasher2(Point,mapToCurve,defaults){if(typeof mapToCurve!="function")throw new Error("mapToCurve() must be \
defined");validateObject(defaults);let snapshot=src=>Object.freeze({...src,DST:isBytes2(src.DST)?copyBytes(src.DST):src.DST,...src.encodeDST===void 0?{}:{encodeDST:isBytes2(
src.encodeDST)?copyBytes(src.encodeDST):src.encodeDST}}),safeDefaults=snapshot(defaults),dstOverride=options=>options&&options.DST!==void 0?{DST:options.DST}:void 0;
function map(num){return Point.fromAffine(mapToCurve(num))}function clear(initial){let P=initial.clearCofactor();return P.equals(Point.ZERO)?Point.ZERO:(P.assertValidity(),
P)}return Object.freeze({get defaults(){return snapshot(safeDefaults)},Point,hashToCurve(msg,options){let opts=Object.assign({},safeDefaults,dstOverride(options)),
u=hash_to_field(msg,2,opts),u0=map(u[0]),u1=map(u[1]);return clear(u0.add(u1))},encodeToCurve(msg,options){let optsDst=safeDefaults.encodeDST===void 0?{}:{DST:safeDefaults.
encodeDST},opts=Object.assign({},safeDefaults,optsDst,dstOverride(options)),u=hash_to_field(msg,1,opts),u0=map(u[0]);return clear(u0)},mapToCurve(scalars){if(safeDefaults.
m===1){if(typeof scalars!="bigint")throw new Error("expected bigint (m=1)");return clear(map([scalars]))}if(!Array.isArray(scalars))throw new Error("expected ar\
ray of bigints");if(scalars.length!==safeDefaults.m)throw new Error(`expected array of ${safeDefaults.m} bigints`);for(let i of scalars)if(typeof i!="bigint")throw new Error(
"expected array of bigints");return clear(map(scalars))},hashToScalar(msg,options){let N=Point.Fn.ORDER,opts=Object.assign({},safeDefaults,{DST:_DST_scalar},dstOverride(
options),{p:N,m:1});return hash_to_field(msg,1,opts)[0][0]}})}function SWUFpSqrtRatio(Fp3,Z){let F=validateField(Fp3),q=F.ORDER,l=_0n4;for(let o=q-_1n4;o%_2n2===
_0n4;o/=_2n2)l+=_1n4;let c1=l,_2n_pow_c1_1=_2n2<<c1-_1n4-_1n4,_2n_pow_c1=_2n_pow_c1_1*_2n2,c2=(q-_1n4)/_2n_pow_c1,c3=(c2-_1n4)/_2n2,c4=_2n_pow_c1-_1n4,c5=_2n_pow_c1_1,
c6=F.pow(Z,c2),c7=F.pow(Z,(c2+_1n4)/_2n2),sqrtRatio=(u,v)=>{let tv1=c6,tv2=F.pow(v,c4),tv3=F.sqr(tv2);tv3=F.mul(tv3,v);let tv5=F.mul(u,tv3);tv5=F.pow(tv5,c3),tv5=
F.mul(tv5,tv2),tv2=F.mul(tv5,v),tv3=F.mul(tv5,u);let tv4=F.mul(tv3,tv2);tv5=F.pow(tv4,c5);let isQR=F.eql(tv5,F.ONE);tv2=F.mul(tv3,c7),tv5=F.mul(tv4,tv1),tv3=F.cmov(
tv2,tv3,isQR),tv4=F.cmov(tv5,tv4,isQR);for(let i=c1;i>_1n4;i--){let tv52=i-_2n2;tv52=_2n2<<tv52-_1n4;let tvv5=F.pow(tv4,tv52),e1=F.eql(tvv5,F.ONE);tv2=F.mul(tv3,
tv1),tv1=F.mul(tv1,tv1),tvv5=F.mul(tv4,tv1),tv3=F.cmov(tv2,tv3,e1),tv4=F.cmov(tvv5,tv4,e1)}return{isValid:!F.is0(v)&&(isQR||F.is0(u)),value:tv3}};if(F.ORDER%_4n3===
_3n2){let c12=(F.ORDER-_3n2)/_4n3,c22=F.sqrt(F.neg(Z));sqrtRatio=(u,v)=>{let tv1=F.sqr(v),tv2=F.mul(u,v);tv1=F.mul(tv1,tv2);let y1=F.pow(tv1,c12);y1=F.mul(y1,tv2);
let y2=F.mul(y1,c22),tv3=F.mul(F.sqr(y1),v),isQR=F.eql(tv3,u),y=F.cmov(y2,y1,isQR);return{isValid:!F.is0(v)&&isQR,value:y}}}return sqrtRatio}function mapToCurveSimpleSWU(Fp3,opts){
let F=validateField(Fp3);validateObject(opts,{},{},"opts");let{A,B,Z}=opts;if(!F.isValidNot0(A)||!F.isValidNot0(B)||!F.isValid(Z))throw new Error("mapToCurveSim\
pleSWU: invalid opts");if(F.eql(Z,F.neg(F.ONE))||FpIsSquare(F,Z))throw new Error("mapToCurveSimpleSWU: invalid opts");let x=F.mul(B,F.inv(F.mul(Z,A))),gx=F.add(
F.add(F.mul(F.sqr(x),x),F.mul(A,x)),B);if(!FpIsSquare(F,gx))throw new Error("mapToCurveSimpleSWU: invalid opts");let sqrtRatio=SWUFpSqrtRatio(F,Z);if(!F.isOdd)throw new Error(
"Field does not have .isOdd()");return u=>{let tv1,tv2,tv3,tv4,tv5,tv6,x2,y;tv1=F.sqr(u),tv1=F.mul(tv1,Z),tv2=F.sqr(tv1),tv2=F.add(tv2,tv1),tv3=F.add(tv2,F.ONE),
tv3=F.mul(tv3,B),tv4=F.cmov(Z,F.neg(tv2),!F.eql(tv2,F.ZERO)),tv4=F.mul(tv4,A),tv2=F.sqr(tv3),tv6=F.sqr(tv4),tv5=F.mul(tv6,A),tv2=F.add(tv2,tv5),tv2=F.mul(tv2,tv3),
tv6=F.mul(tv6,tv4),tv5=F.mul(tv6,B),tv2=F.add(tv2,tv5),x2=F.mul(tv1,tv3);let{isValid,value}=sqrtRatio(tv2,tv6);y=F.mul(tv1,u),y=F.mul(y,value),x2=F.cmov(x2,tv3,
isValid),y=F.cmov(y,value,isValid);let e1=F.isOdd(u)===F.isOdd(y);y=F.cmov(F.neg(y),y,e1);let tv4_inv=FpInvertBatch(F,[tv4],!0)[0];return x2=F.mul(x2,tv4_inv),{
x:x2,y}}}var _HMAC=class{oHash;iHash;blockLen;outputLen;canXOF=!1;finished=!1;destroyed=!1;constructor(hash,key){if(ahash(hash),abytes(key,void 0,"key"),this.iHash=hash.
create(),typeof this.iHash.update!="function")throw new Error("expected Hash instance");this.blockLen=this.iHash.blockLen,this.outputLen=this.iHash.outputLen;let blockLen=this.
blockLen,pad=new Uint8Array(blockLen);pad.set(key.length>blockLen?hash.create().update(key).digest():key);for(let i=0;i<pad.length;i++)pad[i]^=54;this.iHash.update(
pad),this.oHash=hash.create();for(let i=0;i<pad.length;i++)pad[i]^=106;this.oHash.update(pad),clean(pad)}update(buf){return aexists(this),this.iHash.update(buf),
this}digestInto(out){aexists(this),aoutput(out,this),this.finished=!0;let buf=out.subarray(0,this.outputLen);this.iHash.digestInto(buf),this.oHash.update(buf),this.
oHash.digestInto(buf),this.destroy()}digest(){let out=new Uint8Array(this.oHash.outputLen);return this.digestInto(out),out}_cloneInto(to){to||=Object.create(Object.
getPrototypeOf(this),{});let{oHash,iHash,finished,destroyed,blockLen,outputLen,canXOF}=this;return to=to,to.finished=finished,to.destroyed=destroyed,to.blockLen=
blockLen,to.outputLen=outputLen,to.canXOF=canXOF,to.oHash=oHash._cloneInto(to.oHash),to.iHash=iHash._cloneInto(to.iHash),to}clone(){return this._cloneInto()}destroy(){
this.destroyed=!0,this.oHash.destroy(),this.iHash.destroy()}},hmac=(()=>{let hmac_=((hash,key,message)=>new _HMAC(hash,key).update(message).digest());return hmac_.
create=(hash,key)=>new _HMAC(hash,key),hmac_})();var _0n5=BigInt(0),DERErr=class extends Error{constructor(m=""){super(m)}},_DER={Err:DERErr,_tlv:{encode:(tag,data)=>{let{Err:E}=_DER;if(asafenumber(tag,"tag"),
tag<0||tag>255)throw new E("tlv.encode: wrong tag");if(astring(data,"data"),data.length&1)throw new E("tlv.encode: unpadded data");let dataLen=data.length/2,len=numberToHexUnpadded(
dataLen);if(len.length/2&128)throw new E("tlv.encode: long form length too big");let lenLen=dataLen>127?numberToHexUnpadded(len.length/2|128):"";return numberToHexUnpadded(
tag)+lenLen+len+data},decode(tag,data){let{Err:E}=_DER;data=abytes2(data,void 0,"DER data");let pos=0;if(tag<0||tag>255)throw new E("tlv.decode: wrong tag");if(data.
length<2||data[pos++]!==tag)throw new E("tlv.decode: wrong tlv");let first=data[pos++],isLong=!!(first&128),length=0;if(!isLong)length=first;else{let lenLen=first&
127;if(!lenLen)throw new E("tlv.decode(long): indefinite length not supported");if(lenLen>4)throw new E("tlv.decode(long): byte length is too big");let lengthBytes=data.
subarray(pos,pos+lenLen);if(lengthBytes.length!==lenLen)throw new E("tlv.decode: length bytes not complete");if(lengthBytes[0]===0)throw new E("tlv.decode(long)\
: zero leftmost byte");for(let b of lengthBytes)length=length<<8|b;if(pos+=lenLen,length<128)throw new E("tlv.decode(long): not minimal encoding")}let v=data.subarray(
pos,pos+length);if(v.length!==length)throw new E("tlv.decode: wrong value length");return{v,l:data.subarray(pos+length)}}},_int:{encode(num){let{Err:E}=_DER;if(abignumber(
num),num<_0n5)throw new E("integer: negative integers are not allowed");let hex=numberToHexUnpadded(num);if(Number.parseInt(hex[0],16)&8&&(hex="00"+hex),hex.length&
1)throw new E("unexpected DER parsing assertion: unpadded hex");return hex},decode(data){let{Err:E}=_DER;if(data.length<1)throw new E("invalid signature integer\
: empty");if(data[0]&128)throw new E("invalid signature integer: negative");if(data.length>1&&data[0]===0&&!(data[1]&128))throw new E("invalid signature integer\
: unnecessary leading zero");return bytesToNumberBE(data)}},toSig(bytes,maxScalarBytes){let{Err:E,_int:int,_tlv:tlv}=_DER;if(maxScalarBytes!==void 0&&(asafenumber(
maxScalarBytes,"maxScalarBytes"),maxScalarBytes<1))throw new E("invalid signature: maxScalarBytes must be positive");let data=abytes2(bytes,void 0,"signature"),
{v:seqBytes,l:seqLeftBytes}=tlv.decode(48,data);if(seqLeftBytes.length)throw new E("invalid signature: left bytes after parsing");let{v:rBytes,l:rLeftBytes}=tlv.
decode(2,seqBytes),{v:sBytes,l:sLeftBytes}=tlv.decode(2,rLeftBytes);if(sLeftBytes.length)throw new E("invalid signature: left bytes after parsing");if(maxScalarBytes!==
void 0&&(rBytes.length>maxScalarBytes||sBytes.length>maxScalarBytes))throw new E("invalid signature: integer too large");return{r:int.decode(rBytes),s:int.decode(
sBytes)}},hexFromSig(sig){let{_tlv:tlv,_int:int}=_DER;validateObject(sig,{r:"bigint",s:"bigint"},{},"sig");let rs=tlv.encode(2,int.encode(sig.r)),ss=tlv.encode(
2,int.encode(sig.s)),seq=rs+ss;return tlv.encode(48,seq)}},DER=(Object.freeze(_DER._tlv),Object.freeze(_DER._int),Object.freeze(_DER));var divNearest=(num,den)=>(num+(num>=0?den:-den)/_2n3)/den;function _splitEndoScalar(k,basis,n){aInRange("scalar",k,_0n6,n);let[[a1,b1],[a2,b2]]=basis,c1=divNearest(
b2*k,n),c2=divNearest(-b1*k,n),k1=k-c1*a1-c2*a2,k2=-c1*b1-c2*b2,k1neg=k1<_0n6,k2neg=k2<_0n6;k1neg&&(k1=-k1),k2neg&&(k2=-k2);let MAX_NUM=bitMask(Math.ceil(bitLen(
n)/2))+_1n5;if(k1<_0n6||k1>=MAX_NUM||k2<_0n6||k2>=MAX_NUM)throw new Error("splitScalar (endomorphism): failed for k");return{k1neg,k1,k2neg,k2}}function validateSigFormat(format){
if(!["compact","recovered","der"].includes(format))throw new Error('Signature format must be "compact", "recovered", or "der"');return format}function validateSigOpts(opts,def){
validateObject(opts);let optsn={};for(let optName of Object.keys(def))optsn[optName]=opts[optName]===void 0?def[optName]:opts[optName];return abool2(optsn.lowS,
"lowS"),abool2(optsn.prehash,"prehash"),optsn.format!==void 0&&validateSigFormat(optsn.format),optsn}var _0n6=BigInt(0),_1n5=BigInt(1),_2n3=BigInt(2),_3n3=BigInt(
3),_4n4=BigInt(4);function weierstrass(params,extraOpts={}){let validated=createCurveFields("weierstrass",params,extraOpts),Fp3=validated.Fp,Fn=validated.Fn,CURVE=validated.
CURVE,{h:cofactor,n:CURVE_ORDER}=CURVE;validateObject(extraOpts,{},{allowInfinityPoint:"boolean",clearCofactor:"function",isTorsionFree:"function",fromBytes:"fu\
nction",toBytes:"function",endo:"object",randomBytes:"function"});let{endo:endoOpts,allowInfinityPoint,clearCofactor,isTorsionFree,fromBytes,toBytes}=extraOpts,
randomBytes3=extraOpts.randomBytes===void 0?randomBytes2:extraOpts.randomBytes;if(endoOpts&&(!Fp3.is0(CURVE.a)||typeof endoOpts.beta!="bigint"||!Array.isArray(endoOpts.
basises)))throw new Error('invalid endo: expected "beta": bigint and "basises": array');let endo=endoOpts?{beta:endoOpts.beta,basises:endoOpts.basises.map(basis=>[
...basis])}:void 0,lengths=getWLengths(Fp3,Fn);function assertCompressionIsSupported(){if(!Fp3.isOdd)throw new Error("compression is not supported: Field does n\
ot have .isOdd()")}function pointToBytes(_c,point,isCompressed){if(point.is0()){if(!allowInfinityPoint)throw new Error("bad point: ZERO");return Uint8Array.of(0)}
let{x,y}=point.toAffine(),bx=Fp3.toBytes(x);if(abool2(isCompressed,"isCompressed"),isCompressed){assertCompressionIsSupported();let hasEvenY=!Fp3.isOdd(y);return concatBytes2(
pprefix(hasEvenY),bx)}else return concatBytes2(Uint8Array.of(4),bx,Fp3.toBytes(y))}function pointFromBytes(bytes){abytes2(bytes,void 0,"Point");let{publicKey:comp,
publicKeyUncompressed:uncomp}=lengths,length=bytes.length,head=bytes[0],tail=bytes.subarray(1);if(allowInfinityPoint&&length===1&&head===0)return{x:Fp3.ZERO,y:Fp3.
ZERO};if(length===comp&&(head===2||head===3)){let x=Fp3.fromBytes(tail);if(!Fp3.isValid(x))throw new Error("bad point: is not on curve, wrong x");let y2=weierstrassEquation(
x),y;try{y=Fp3.sqrt(y2)}catch(sqrtError){let err=sqrtError instanceof Error?": "+sqrtError.message:"";throw new Error("bad point: is not on curve, sqrt error"+err)}
assertCompressionIsSupported();let evenY=Fp3.isOdd(y);return(head&1)===1!==evenY&&(y=Fp3.neg(y)),{x,y}}else if(length===uncomp&&head===4){let L=Fp3.BYTES,x=Fp3.
fromBytes(tail.subarray(0,L)),y=Fp3.fromBytes(tail.subarray(L,L*2));if(!isValidXY(x,y))throw new Error("bad point: is not on curve");return{x,y}}else throw new Error(
`bad point: got length ${length}, expected compressed=${comp} or uncompressed=${uncomp}`)}let encodePoint=toBytes===void 0?pointToBytes:toBytes,decodePoint=fromBytes===
void 0?pointFromBytes:fromBytes,b3=Fp3.mul(CURVE.b,_3n3),mulA=Fp3.is0(CURVE.a)?_=>Fp3.ZERO:x=>Fp3.mul(CURVE.a,x);function weierstrassEquation(x){let x2=Fp3.sqr(
x),x3=Fp3.mul(x2,x);return Fp3.add(Fp3.add(x3,Fp3.mul(x,CURVE.a)),CURVE.b)}function isValidXY(x,y){let left=Fp3.sqr(y),right=weierstrassEquation(x);return Fp3.eql(
left,right)}if(!isValidXY(CURVE.Gx,CURVE.Gy))throw new Error("bad curve params: generator point");let _4a3=Fp3.mul(Fp3.pow(CURVE.a,_3n3),_4n4),_27b2=Fp3.mul(Fp3.
sqr(CURVE.b),BigInt(27));if(Fp3.is0(Fp3.add(_4a3,_27b2)))throw new Error("bad curve params: a or b");function acoord(title,n,banZero=!1){if(!Fp3.isValid(n)||banZero&&
Fp3.is0(n))throw new Error(`bad point coordinate ${title}`);return typeof n=="object"&&n!==null?Fp3.create(n):n}function aprjpoint(other){if(!(other instanceof Point))
throw new Error("Weierstrass Point expected")}function splitEndoScalarN(k){if(!endo||!endo.basises)throw new Error("no endo");return _splitEndoScalar(k,endo.basises,
Fn.ORDER)}function pushWnafPair(points,scalars,p,k){if(!Fn.isValid(k))throw new RangeError("invalid scalar: out of range");if(endo){let{k1neg,k1,k2neg,k2}=splitEndoScalarN(
k),psi=new Point(Fp3.mul(p.X,endo.beta),p.Y,p.Z);points.push(k1neg?p.negate():p,k2neg?psi.negate():psi),scalars.push(k1,k2)}else points.push(p),scalars.push(k)}
let validityCache=new WeakSet;class Point{static BASE=new Point(CURVE.Gx,CURVE.Gy,Fp3.ONE);static ZERO=new Point(Fp3.ZERO,Fp3.ONE,Fp3.ZERO);static Fp=Fp3;static Fn=Fn;X;Y;Z;constructor(X,Y,Z){
this.X=acoord("x",X),this.Y=acoord("y",Y,!0),this.Z=acoord("z",Z),Object.freeze(this)}static CURVE(){return CURVE}static fromAffine(p){let{x,y}=p||{};if(!p||!Fp3.
isValid(x)||!Fp3.isValid(y))throw new Error("invalid affine point");if(p instanceof Point)throw new Error("projective point not allowed");return Fp3.is0(x)&&Fp3.
is0(y)?Point.ZERO:new Point(x,y,Fp3.ONE)}static fromBytes(bytes){let P=Point.fromAffine(decodePoint(abytes2(bytes,void 0,"point")));return P.assertValidity(),P}static fromHex(hex){
return Point.fromBytes(hexToBytes2(hex))}get x(){return this.toAffine().x}get y(){return this.toAffine().y}precompute(windowSize=6,isLazy=!0){return wnaf.setWindowSize(
this,windowSize),isLazy||this.multiply(_3n3),this}assertValidity(){let p=this;if(p.is0()){if(allowInfinityPoint&&Fp3.is0(p.X)&&Fp3.eql(p.Y,Fp3.ONE)&&Fp3.is0(p.Z))
return;throw new Error("bad point: ZERO")}if(validityCache.has(p))return;let{x,y}=p.toAffine();if(!Fp3.isValid(x)||!Fp3.isValid(y))throw new Error("bad point: x\
 or y not field elements");if(!isValidXY(x,y))throw new Error("bad point: equation left != right");if(!p.isTorsionFree())throw new Error("bad point: not in prim\
e-order subgroup");validityCache.add(p)}hasEvenY(){let{y}=this.toAffine();if(!Fp3.isOdd)throw new Error("Field doesn't support isOdd");return!Fp3.isOdd(y)}equals(other){
aprjpoint(other);let{X:X1,Y:Y1,Z:Z1}=this,{X:X2,Y:Y2,Z:Z2}=other,U1=Fp3.eql(Fp3.mul(X1,Z2),Fp3.mul(X2,Z1)),U2=Fp3.eql(Fp3.mul(Y1,Z2),Fp3.mul(Y2,Z1));return U1&&
U2}negate(){return new Point(this.X,Fp3.neg(this.Y),this.Z)}double(){let{X:X1,Y:Y1,Z:Z1}=this,X3=Fp3.ZERO,Y3=Fp3.ZERO,Z3=Fp3.ZERO,t0=Fp3.mul(X1,X1),t1=Fp3.mul(Y1,
Y1),t2=Fp3.mul(Z1,Z1),t3=Fp3.mul(X1,Y1);return t3=Fp3.add(t3,t3),Z3=Fp3.mul(X1,Z1),Z3=Fp3.add(Z3,Z3),X3=mulA(Z3),Y3=Fp3.mul(b3,t2),Y3=Fp3.add(X3,Y3),X3=Fp3.sub(
t1,Y3),Y3=Fp3.add(t1,Y3),Y3=Fp3.mul(X3,Y3),X3=Fp3.mul(t3,X3),Z3=Fp3.mul(b3,Z3),t2=mulA(t2),t3=Fp3.sub(t0,t2),t3=mulA(t3),t3=Fp3.add(t3,Z3),Z3=Fp3.add(t0,t0),t0=
Fp3.add(Z3,t0),t0=Fp3.add(t0,t2),t0=Fp3.mul(t0,t3),Y3=Fp3.add(Y3,t0),t2=Fp3.mul(Y1,Z1),t2=Fp3.add(t2,t2),t0=Fp3.mul(t2,t3),X3=Fp3.sub(X3,t0),Z3=Fp3.mul(t2,t1),Z3=
Fp3.add(Z3,Z3),Z3=Fp3.add(Z3,Z3),new Point(X3,Y3,Z3)}add(other){aprjpoint(other);let{X:X1,Y:Y1,Z:Z1}=this,{X:X2,Y:Y2,Z:Z2}=other,X3=Fp3.ZERO,Y3=Fp3.ZERO,Z3=Fp3.
ZERO,t0=Fp3.mul(X1,X2),t1=Fp3.mul(Y1,Y2),t2=Fp3.mul(Z1,Z2),t3=Fp3.add(X1,Y1),t4=Fp3.add(X2,Y2);t3=Fp3.mul(t3,t4),t4=Fp3.add(t0,t1),t3=Fp3.sub(t3,t4),t4=Fp3.add(
X1,Z1);let t5=Fp3.add(X2,Z2);return t4=Fp3.mul(t4,t5),t5=Fp3.add(t0,t2),t4=Fp3.sub(t4,t5),t5=Fp3.add(Y1,Z1),X3=Fp3.add(Y2,Z2),t5=Fp3.mul(t5,X3),X3=Fp3.add(t1,t2),
t5=Fp3.sub(t5,X3),Z3=mulA(t4),X3=Fp3.mul(b3,t2),Z3=Fp3.add(X3,Z3),X3=Fp3.sub(t1,Z3),Z3=Fp3.add(t1,Z3),Y3=Fp3.mul(X3,Z3),t1=Fp3.add(t0,t0),t1=Fp3.add(t1,t0),t2=mulA(
t2),t4=Fp3.mul(b3,t4),t1=Fp3.add(t1,t2),t2=Fp3.sub(t0,t2),t2=mulA(t2),t4=Fp3.add(t4,t2),t0=Fp3.mul(t1,t4),Y3=Fp3.add(Y3,t0),t0=Fp3.mul(t5,t4),X3=Fp3.mul(t3,X3),
X3=Fp3.sub(X3,t0),t0=Fp3.mul(t3,t1),Z3=Fp3.mul(t5,Z3),Z3=Fp3.add(Z3,t0),new Point(X3,Y3,Z3)}subtract(other){return aprjpoint(other),this.add(other.negate())}is0(){
return this.equals(Point.ZERO)}multiply(scalar){if(!Fn.isValidNot0(scalar))throw new RangeError("invalid scalar: out of range");let{p,f}=wnaf.mulSecret(this,scalar,
cofactor,normalize);return normalize([p,f])[0]}multiplyUnsafe(scalar){let p=this,sc=scalar;if(!Fn.isValid(sc))throw new RangeError("invalid scalar: out of range");
if(sc===_0n6||p.is0())return Point.ZERO;if(sc===_1n5)return p;if(wnaf.hasWindowSize(this))return wnaf.mulUnsafe(p,sc,normalize);let points=[],scalars=[];return pushWnafPair(
points,scalars,p,sc),mulAddUnsafe(Point,points,scalars)}mulAddUnsafe(a,other,b){aprjpoint(other);let points=[],scalars=[];return pushWnafPair(points,scalars,this,
a),pushWnafPair(points,scalars,other,b),mulAddUnsafe(Point,points,scalars)}toAffine(invertedZ){let p=this,iz=invertedZ;if(iz!=null&&!Fp3.isValid(iz))throw new RangeError(
'"invertedZ" expected valid field element');let{X,Y,Z}=p;if(Fp3.eql(Z,Fp3.ONE))return{x:X,y:Y};let is0=p.is0();iz==null&&(iz=is0?Fp3.ONE:Fp3.inv(Z));let x=Fp3.mul(
X,iz),y=Fp3.mul(Y,iz),zz=Fp3.mul(Z,iz);if(is0)return{x:Fp3.ZERO,y:Fp3.ZERO};if(!Fp3.eql(zz,Fp3.ONE))throw new Error("invZ was invalid");return{x,y}}isTorsionFree(){
return cofactor===_1n5?!0:isTorsionFree?isTorsionFree(Point,this):wnaf.mulUnsafe(this,CURVE_ORDER).is0()}clearCofactor(){return cofactor===_1n5?this:clearCofactor?
clearCofactor(Point,this):this.multiplyUnsafe(cofactor)}isSmallOrder(){return cofactor===_1n5?this.is0():this.clearCofactor().is0()}toBytes(isCompressed=!0){return abool2(
isCompressed,"isCompressed"),this.assertValidity(),encodePoint(Point,this,isCompressed)}toHex(isCompressed=!0){return bytesToHex2(this.toBytes(isCompressed))}toString(){
return`<Point ${this.is0()?"ZERO":this.toHex()}>`}}let normalize=points=>normalizeZ(Point,points),wnaf=new ScalarMultiplier(Point,randomBytes3);return wnaf.bits>=
6&&Point.BASE.precompute(6),Object.freeze(Point.prototype),Object.freeze(Point),Point}function pprefix(hasEvenY){return Uint8Array.of(hasEvenY?2:3)}function getWLengths(Fp3,Fn){
return{secretKey:Fn.BYTES,publicKey:1+Fp3.BYTES,publicKeyUncompressed:1+2*Fp3.BYTES,publicKeyHasPrefix:!0,signature:2*Fn.BYTES}}function ecdh(Point,ecdhOpts={}){
validatePointCons(Point);let{Fn}=Point,randomBytes_=ecdhOpts.randomBytes===void 0?randomBytes2:ecdhOpts.randomBytes,lengths=Object.assign(getWLengths(Point.Fp,Fn),
{seed:Math.max(getMinHashLength(Fn.ORDER),16)});function isValidSecretKey(secretKey){try{let num=Fn.fromBytes(secretKey);return Fn.isValidNot0(num)}catch{return!1}}
function isValidPublicKey(publicKey,isCompressed){let{publicKey:comp,publicKeyUncompressed}=lengths;try{let l=publicKey.length;return isCompressed===!0&&l!==comp||
isCompressed===!1&&l!==publicKeyUncompressed?!1:!Point.fromBytes(publicKey).is0()}catch{return!1}}function randomSecretKey(seed){return seed=seed===void 0?randomBytes_(
lengths.seed):seed,mapHashToField(abytes2(seed,lengths.seed,"seed"),Fn.ORDER)}function getPublicKey(secretKey,isCompressed=!0){return Point.BASE.multiply(Fn.fromBytes(
secretKey)).toBytes(isCompressed)}function isProbPub(item){let{secretKey,publicKey,publicKeyUncompressed}=lengths,allowedLengths=Fn._lengths;if(!isBytes2(item))
return;let l=abytes2(item,void 0,"key").length,isPub=l===publicKey||l===publicKeyUncompressed,isSec=l===secretKey||!!allowedLengths?.includes(l);if(!(isPub&&isSec))
return isPub}function getSharedSecret(secretKeyA,publicKeyB,isCompressed=!0){if(isProbPub(secretKeyA)===!0)throw new Error("first arg must be private key");if(isProbPub(
publicKeyB)===!1)throw new Error("second arg must be public key");let s=Fn.fromBytes(secretKeyA),b=Point.fromBytes(publicKeyB);if(b.is0())throw new Error("inval\
id public key: point at infinity");return b.multiply(s).toBytes(isCompressed)}let utils={isValidSecretKey,isValidPublicKey,randomSecretKey},keygen=createKeygen(
randomSecretKey,getPublicKey);return Object.freeze(utils),Object.freeze(lengths),Object.freeze({getPublicKey,getSharedSecret,keygen,Point,utils,lengths})}function ecdsa(Point,hash,ecdsaOpts={}){
validatePointCons(Point);let hash_=hash;ahash(hash_),validateObject(ecdsaOpts,{},{hmac:"function",lowS:"boolean",randomBytes:"function",bits2int:"function",bits2int_modN:"\
function"});let opts=Object.assign({},ecdsaOpts),randomBytes3=opts.randomBytes===void 0?randomBytes2:opts.randomBytes,hmac2=opts.hmac===void 0?(key,msg)=>hmac(hash_,
key,msg):opts.hmac,{Fp:Fp3,Fn}=Point,{ORDER:CURVE_ORDER,BITS:fnBits}=Fn,blindLength=getMinHashLength(CURVE_ORDER),csprng=probeRandomBytes(randomBytes3,blindLength),
{keygen,getPublicKey,getSharedSecret,utils,lengths}=ecdh(Point,opts),defaultSigOpts={prehash:!0,lowS:typeof opts.lowS=="boolean"?opts.lowS:!0,format:"compact",extraEntropy:!1},
hasLargeRecoveryLifts=CURVE_ORDER*_2n3+_1n5<Fp3.ORDER;function isBiggerThanHalfOrder(number){let HALF=CURVE_ORDER>>_1n5;return number>HALF}function validateRS(title,num){
if(!Fn.isValidNot0(num))throw new Error(`invalid signature ${title}: out of range 1..Point.Fn.ORDER`);return num}function assertFieldSignIsSupported(){if(!Fp3.isOdd)
throw new Error("Field doesn't support isOdd")}function getRecoveryBit(x,y,r){return assertFieldSignIsSupported(),(x===r?0:2)|Number(Fp3.isOdd(y))}function assertRecoverableCurve(){
if(hasLargeRecoveryLifts)throw new Error('"recovered" sig type is not supported for cofactor >2 curves')}function validateSigLength(bytes,format){validateSigFormat(
format);let size=lengths.signature,sizer=format==="compact"?size:format==="recovered"?size+1:void 0;return abytes2(bytes,sizer)}class Signature{r;s;recovery;constructor(r,s,recovery){
if(this.r=validateRS("r",r),this.s=validateRS("s",s),recovery!=null){if(assertRecoverableCurve(),![0,1,2,3].includes(recovery))throw new Error("invalid recovery\
 id");this.recovery=recovery}Object.freeze(this)}static fromBytes(bytes,format=defaultSigOpts.format){validateSigLength(bytes,format);let recid;if(format==="der"){
if(bytes.length>2*Fn.BYTES+16)throw new DER.Err("invalid signature: DER signature too long");let{r:r2,s:s2}=DER.toSig(abytes2(bytes),Fn.BYTES+1);return new Signature(
r2,s2)}format==="recovered"&&(recid=bytes[0],format="compact",bytes=bytes.subarray(1));let L=lengths.signature/2,r=bytes.subarray(0,L),s=bytes.subarray(L,L*2);return new Signature(
Fn.fromBytes(r),Fn.fromBytes(s),recid)}static fromHex(hex,format){return this.fromBytes(hexToBytes2(hex),format)}assertRecovery(){let{recovery}=this;if(recovery==
null)throw new Error("invalid recovery id: must be present");return recovery}addRecoveryBit(recovery){return new Signature(this.r,this.s,recovery)}recoverPublicKey(messageHash){
let{r,s}=this,recovery=this.assertRecovery(),radj=recovery===2||recovery===3?r+CURVE_ORDER:r;if(!Fp3.isValid(radj))throw new Error("invalid recovery id: sig.r+c\
urve.n != R.x");let x=Fp3.toBytes(radj),R=Point.fromBytes(concatBytes2(pprefix((recovery&1)===0),x)),ir=Fn.inv(radj),h=bits2int_modN(abytes2(messageHash,void 0,
"msgHash")),u1=Fn.create(-h*ir),u2=Fn.create(s*ir),Q=Point.BASE.mulAddUnsafe(u1,R,u2);if(Q.is0())throw new Error("invalid recovery: point at infinify");return Q.
assertValidity(),Q}hasHighS(){return isBiggerThanHalfOrder(this.s)}toBytes(format=defaultSigOpts.format){if(validateSigFormat(format),format==="der")return hexToBytes2(
DER.hexFromSig(this));let{r,s}=this,rb=Fn.toBytes(r),sb=Fn.toBytes(s);return format==="recovered"?(assertRecoverableCurve(),concatBytes2(Uint8Array.of(this.assertRecovery()),
rb,sb)):concatBytes2(rb,sb)}toHex(format){return bytesToHex2(this.toBytes(format))}}Object.freeze(Signature.prototype),Object.freeze(Signature);let bits2int=opts.
bits2int===void 0?function(bytes){if(bytes.length>8192)throw new Error("input is too large");let num=bytesToNumberBE(bytes),delta=bytes.length*8-fnBits;return delta>
0?num>>BigInt(delta):num}:opts.bits2int,bits2int_modN=opts.bits2int_modN===void 0?function(bytes){return Fn.create(bits2int(bytes))}:opts.bits2int_modN,ORDER_MASK=bitMask(
fnBits);function int2octets(num){return aInRange("num < 2^"+fnBits,num,_0n6,ORDER_MASK),Fn.toBytes(num)}function validateMsgAndHash(message,prehash){return abytes2(
message,void 0,"message"),prehash?abytes2(hash_(message),void 0,"prehashed message"):message}function prepSig(message,secretKey,opts2){let{lowS,prehash,extraEntropy}=validateSigOpts(
opts2,defaultSigOpts);message=validateMsgAndHash(message,prehash);let h1int=bits2int_modN(message),d=Fn.fromBytes(secretKey);if(!Fn.isValidNot0(d))throw new Error(
"invalid private key");let seedArgs=[int2octets(d),int2octets(h1int)];if(extraEntropy!=null&&extraEntropy!==!1){let e=extraEntropy===!0?randomBytes3(lengths.secretKey):
extraEntropy;seedArgs.push(abytes2(e,void 0,"extraEntropy"))}let seed=concatBytes2(...seedArgs),m=h1int;function k2sig(kBytes){let k=bits2int(kBytes);if(!Fn.isValidNot0(
k))return;let q=Point.BASE.multiply(k).toAffine(),r=Fn.create(q.x);if(r===_0n6)return;let s;if(csprng!==void 0){let b=bytesToNumberBE(mapHashToField(csprng(blindLength),
CURVE_ORDER)),ibk=Fn.inv(Fn.mul(b,k)),bm=Fn.mul(b,m),bd=Fn.mul(b,d);s=Fn.create(ibk*Fn.create(bm+bd*r))}else{let ik=invertCt(k,CURVE_ORDER);s=Fn.create(ik*Fn.create(
m+r*d))}if(s===_0n6)return;let recovery=getRecoveryBit(q.x,q.y,r),normS=s;return lowS&&isBiggerThanHalfOrder(s)&&(normS=Fn.neg(s),recovery^=1),new Signature(r,normS,
hasLargeRecoveryLifts?void 0:recovery)}return{seed,k2sig}}function sign(message,secretKey,opts2={}){let{seed,k2sig}=prepSig(message,secretKey,opts2);return createHmacDrbg(
hash_.outputLen,Fn.BYTES,hmac2)(seed,k2sig).toBytes(opts2.format)}function verify(signature,message,publicKey,opts2={}){let{lowS,prehash,format}=validateSigOpts(
opts2,defaultSigOpts);if(publicKey=abytes2(publicKey,void 0,"publicKey"),message=validateMsgAndHash(message,prehash),!isBytes2(signature)){let end=signature instanceof
Signature?", use sig.toBytes()":"";throw new Error("verify expects Uint8Array signature"+end)}validateSigLength(signature,format);try{let sig=Signature.fromBytes(
signature,format),P=Point.fromBytes(publicKey);if(P.is0()||lowS&&sig.hasHighS())return!1;let{r,s}=sig,h=bits2int_modN(message),is=Fn.inv(s),u1=Fn.create(h*is),u2=Fn.
create(r*is),R=Point.BASE.mulAddUnsafe(u1,P,u2);if(R.is0())return!1;let q=R.toAffine();return!(Fn.create(q.x)!==r||format==="recovered"&&sig.recovery!==getRecoveryBit(
q.x,q.y,r))}catch{return!1}}function recoverPublicKey(signature,message,opts2={}){let{prehash}=validateSigOpts(opts2,defaultSigOpts);return message=validateMsgAndHash(
message,prehash),Signature.fromBytes(signature,"recovered").recoverPublicKey(message).toBytes()}return Object.freeze({keygen,getPublicKey,getSharedSecret,utils,
lengths,Point,sign,verify,recoverPublicKey,Signature,hash:hash_})}var _0n7=BigInt(0),_1n6=BigInt(1),_2n4=BigInt(2),_3n4=BigInt(3);function NAfDecomposition(a){let res=[];for(;a>_1n6;a>>=_1n6)(a&_1n6)===_0n7?res.unshift(0):(a&_3n4)===
_3n4?(res.unshift(-1),a+=_1n6):res.unshift(1);return res}function aNonEmpty(arr){if(!Array.isArray(arr)||arr.length===0)throw new Error("expected non-empty arra\
y")}function createBlsPairing(fields2,G1,G2,params){if(validateObject(fields2,{Fp:"object",Fr:"object",Fp2:"object",Fp12:"object"},{Fp6:"object"},"fields"),typeof G1!=
"function")throw new TypeError('"G1_Point" expected point constructor, got type='+typeof G1);if(typeof G2!="function")throw new TypeError('"G2_Point" expected p\
oint constructor, got type='+typeof G2);validateObject(params,{ateLoopSize:"bigint",xNegative:"boolean",twistType:"string"},{randomBytes:"function",postPrecompute:"\
function"},"params");let{Fp:Fp3,Fr,Fp2:Fp22,Fp12:Fp122}=fields2,{twistType,ateLoopSize,xNegative,postPrecompute}=params,fp22=(c0,c1)=>({c0,c1}),fp2f=({c0,c1})=>Object.
freeze({c0,c1}),add2=(a,b)=>fp22(Fp3.add(a.c0,b.c0),Fp3.add(a.c1,b.c1)),sub2=(a,b)=>fp22(Fp3.sub(a.c0,b.c0),Fp3.sub(a.c1,b.c1)),mul2=(a,b)=>{let t0=Fp3.mul(a.c0,
b.c0),t1=Fp3.mul(a.c1,b.c1);return fp22(Fp3.sub(t0,t1),Fp3.sub(Fp3.mul(Fp3.add(a.c0,a.c1),Fp3.add(b.c0,b.c1)),Fp3.add(t0,t1)))},mul2ByFp=(a,rhs)=>fp22(Fp3.mul(a.
c0,rhs),Fp3.mul(a.c1,rhs)),mul2ByNonresidue=a=>Fp22.mulByNonresidue(a),mul014ByLine=({c0:f0,c1:f1},o0,l1,l4,Px,Py)=>{let o1=mul2ByFp(l1,Px),o4=mul2ByFp(l4,Py),{
c0:a0,c1:a1,c2:a2}=f0,{c0:b0,c1:b1,c2:b2}=f1,t0_0=mul2(a0,o0),t0_1=mul2(a1,o1),t0_c0=add2(mul2ByNonresidue(sub2(mul2(add2(a1,a2),o1),t0_1)),t0_0),t0_c1=sub2(sub2(
mul2(add2(o0,o1),add2(a0,a1)),t0_0),t0_1),t0_c2=add2(sub2(mul2(add2(a0,a2),o0),t0_0),t0_1),t1_c0=mul2ByNonresidue(mul2(b2,o4)),t1_c1=mul2(b0,o4),t1_c2=mul2(b1,o4),
s0=add2(a0,b0),s1=add2(a1,b1),s2=add2(a2,b2),o14=add2(o1,o4),t2_0=mul2(s0,o0),t2_1=mul2(s1,o14),t2_c0=add2(mul2ByNonresidue(sub2(mul2(add2(s1,s2),o14),t2_1)),t2_0),
t2_c1=sub2(sub2(mul2(add2(o0,o14),add2(s0,s1)),t2_0),t2_1),t2_c2=add2(sub2(mul2(add2(s0,s2),o0),t2_0),t2_1);return Object.freeze({c0:Object.freeze({c0:fp2f(add2(
mul2ByNonresidue(t1_c2),t0_c0)),c1:fp2f(add2(t1_c0,t0_c1)),c2:fp2f(add2(t1_c1,t0_c2))}),c1:Object.freeze({c0:fp2f(sub2(sub2(t2_c0,t0_c0),t1_c0)),c1:fp2f(sub2(sub2(
t2_c1,t0_c1),t1_c1)),c2:fp2f(sub2(sub2(t2_c2,t0_c2),t1_c2))})})},mul034ByLine=({c0:f0,c1:f1},l0,l3,o4,Px,Py)=>{let o0=mul2ByFp(l0,Py),o3=mul2ByFp(l3,Px),{c0:a0,
c1:a1,c2:a2}=f0,{c0:b0,c1:b1,c2:b2}=f1,a_c0=mul2(a0,o0),a_c1=mul2(a1,o0),a_c2=mul2(a2,o0),b0m=mul2(b0,o3),b1m=mul2(b1,o4),b_c0=add2(mul2ByNonresidue(sub2(mul2(add2(
b1,b2),o4),b1m)),b0m),b_c1=sub2(sub2(mul2(add2(o3,o4),add2(b0,b1)),b0m),b1m),b_c2=add2(sub2(mul2(add2(b0,b2),o3),b0m),b1m),s0=add2(a0,b0),s1=add2(a1,b1),s2=add2(
a2,b2),o03=add2(o0,o3),e0m=mul2(s0,o03),e1m=mul2(s1,o4),e_c0=add2(mul2ByNonresidue(sub2(mul2(add2(s1,s2),o4),e1m)),e0m),e_c1=sub2(sub2(mul2(add2(o03,o4),add2(s0,
s1)),e0m),e1m),e_c2=add2(sub2(mul2(add2(s0,s2),o03),e0m),e1m);return Object.freeze({c0:Object.freeze({c0:fp2f(add2(mul2ByNonresidue(b_c2),a_c0)),c1:fp2f(add2(b_c0,
a_c1)),c2:fp2f(add2(b_c1,a_c2))}),c1:Object.freeze({c0:fp2f(sub2(sub2(e_c0,a_c0),b_c0)),c1:fp2f(sub2(sub2(e_c1,a_c1),b_c1)),c2:fp2f(sub2(sub2(e_c2,a_c2),b_c2))})})},
lineFunction;if(twistType==="multiplicative")lineFunction=(c0,c1,c2,f,Px,Py)=>mul014ByLine(f,c0,c1,c2,Px,Py);else if(twistType==="divisive")lineFunction=(c0,c1,c2,f,Px,Py)=>mul034ByLine(
f,c2,c1,c0,Px,Py);else throw new Error("bls: unknown twist type");let Fp2div2=Fp22.div(Fp22.ONE,Fp22.mul(Fp22.ONE,_2n4));function pointDouble(ell,Rx,Ry,Rz){let t0=Fp22.
sqr(Ry),t1=Fp22.sqr(Rz),t2=Fp22.mulByB(Fp22.mul(t1,_3n4)),t3=Fp22.mul(t2,_3n4),t4=Fp22.sub(Fp22.sub(Fp22.sqr(Fp22.add(Ry,Rz)),t1),t0),c0=Fp22.sub(t2,t0),c1=Fp22.
mul(Fp22.sqr(Rx),_3n4),c2=Fp22.neg(t4);return ell.push([c0,c1,c2]),Rx=Fp22.mul(Fp22.mul(Fp22.mul(Fp22.sub(t0,t3),Rx),Ry),Fp2div2),Ry=Fp22.sub(Fp22.sqr(Fp22.mul(
Fp22.add(t0,t3),Fp2div2)),Fp22.mul(Fp22.sqr(t2),_3n4)),Rz=Fp22.mul(t0,t4),{Rx,Ry,Rz}}function pointAdd(ell,Rx,Ry,Rz,Qx,Qy){let t0=Fp22.sub(Ry,Fp22.mul(Qy,Rz)),t1=Fp22.
sub(Rx,Fp22.mul(Qx,Rz)),c0=Fp22.sub(Fp22.mul(t0,Qx),Fp22.mul(t1,Qy)),c1=Fp22.neg(t0),c2=t1;ell.push([c0,c1,c2]);let t2=Fp22.sqr(t1),t3=Fp22.mul(t2,t1),t4=Fp22.mul(
t2,Rx),t5=Fp22.add(Fp22.sub(t3,Fp22.mul(t4,_2n4)),Fp22.mul(Fp22.sqr(t0),Rz));return Rx=Fp22.mul(t1,t5),Ry=Fp22.sub(Fp22.mul(Fp22.sub(t4,t5),t0),Fp22.mul(t3,Ry)),
Rz=Fp22.mul(Rz,t3),{Rx,Ry,Rz}}let ATE_NAF=NAfDecomposition(ateLoopSize),calcPairingPrecomputes=point=>{if(!(point instanceof G2))throw new TypeError('"point" ex\
pected G2 point, got type='+typeof point);let p=point,{x,y}=p.toAffine(),Qx=x,Qy=y,negQy=Fp22.neg(y),Rx=Qx,Ry=Qy,Rz=Fp22.ONE,ell=[];for(let bit of ATE_NAF){let cur=[];
({Rx,Ry,Rz}=pointDouble(cur,Rx,Ry,Rz)),bit&&({Rx,Ry,Rz}=pointAdd(cur,Rx,Ry,Rz,Qx,bit===-1?negQy:Qy)),ell.push(cur)}if(postPrecompute){let last=ell[ell.length-1];
postPrecompute(Rx,Ry,Rz,Qx,Qy,pointAdd.bind(null,last))}return ell};function millerLoopBatch(pairs,withFinalExponent=!1){aarray(pairs,"pairs",(pair,title)=>{if(aarray(
pair,title),pair.length!==3)throw new TypeError(`"${title}" expected precompute tuple`);aarray(pair[0],title+"[0]")});let f12=Fp122.ONE;if(pairs.length){let ellLen=pairs[0][0].
length;for(let i=0;i<ellLen;i++){i!==0&&(f12=Fp122.sqr(f12));for(let[ell,Px,Py]of pairs)for(let[c0,c1,c2]of ell[i])f12=lineFunction(c0,c1,c2,f12,Px,Py)}}return xNegative&&
(f12=Fp122.conjugate(f12)),withFinalExponent?Fp122.finalExponentiate(f12):f12}function pairingBatch(pairs,withFinalExponent=!0){aarray(pairs,"pairs");let res=[];
for(let i=0;i<pairs.length;i++){let pair=pairs[i];validateObject(pair,{g1:"object",g2:"object"},{},"pairs["+i+"]");let{g1:g12,g2:g22}=pair;if(!(g12 instanceof G1))
throw new TypeError('"pairs['+i+'].g1" expected G1 point, got type='+typeof g12);if(!(g22 instanceof G2))throw new TypeError('"pairs['+i+'].g2" expected G2 poin\
t, got type='+typeof g22);if(g12.is0()||g22.is0())throw new Error("pairing is not available for ZERO point");g12.assertValidity(),g22.assertValidity();let Qa=g12.
toAffine();res.push([calcPairingPrecomputes(g22),Qa.x,Qa.y])}return millerLoopBatch(res,withFinalExponent)}function pairing(Q,P,withFinalExponent=!0){if(!(Q instanceof
G1))throw new TypeError('"Q" expected G1 point, got type='+typeof Q);if(!(P instanceof G2))throw new TypeError('"P" expected G2 point, got type='+typeof P);return pairingBatch(
[{g1:Q,g2:P}],withFinalExponent)}let lengths={seed:getMinHashLength(Fr.ORDER)},rand=params.randomBytes===void 0?randomBytes2:params.randomBytes,randomSecretKey=seed=>(seed=
seed===void 0?rand(lengths.seed):seed,abytes2(seed,lengths.seed,"seed"),mapHashToField(seed,Fr.ORDER));return Object.freeze(lengths),{lengths,Fr,Fp12:Fp122,millerLoopBatch,
pairing,pairingBatch,calcPairingPrecomputes,randomSecretKey}}function createBlsSig(blsPairing,PubPoint,SigPoint,isSigG1,hashToSigCurve,SignatureCoder){let{Fr,Fp12:Fp122,
pairingBatch,randomSecretKey,lengths}=blsPairing;SignatureCoder||(SignatureCoder={fromBytes:notImplemented,fromHex:notImplemented,toBytes:notImplemented,toHex:notImplemented});
let sigCoder=Object.freeze({...SignatureCoder});function normPub(point){return point instanceof PubPoint?point:PubPoint.fromBytes(point)}function normSig(point){
return point instanceof SigPoint?point:sigCoder.fromBytes(point)}function amsg(m){if(!(m instanceof SigPoint))throw new Error(`expected valid message hashed to ${isSigG1?
"G1":"G2"} curve`);return m}let pair=isSigG1?(a,b)=>({g1:b,g2:a}):(a,b)=>({g1:a,g2:b});return Object.freeze({lengths:Object.freeze({...lengths,secretKey:Fr.BYTES}),
keygen(seed){let secretKey=randomSecretKey(seed),publicKey=this.getPublicKey(secretKey);return{secretKey,publicKey}},getPublicKey(secretKey){let sec;try{sec=PubPoint.
Fn.fromBytes(secretKey)}catch(error){throw new Error("invalid private key: "+typeof secretKey,{cause:error})}return PubPoint.BASE.multiply(sec)},sign(message,secretKey,unusedArg){
if(unusedArg!=null)throw new Error("sign() expects 2 arguments");let sec=PubPoint.Fn.fromBytes(secretKey);return amsg(message).assertValidity(),message.multiply(
sec)},verify(signature,message,publicKey,unusedArg){if(unusedArg!=null)throw new Error("verify() expects 3 arguments");signature=normSig(signature),publicKey=normPub(
publicKey);let P=publicKey.negate(),G=PubPoint.BASE,Hm=amsg(message),S=signature;try{let exp=pairingBatch([pair(P,Hm),pair(G,S)]);return Fp122.eql(exp,Fp122.ONE)}catch{
return!1}},verifyBatch(signature,items){aNonEmpty(items);let sig=normSig(signature),nMessages=items.map(i=>amsg(i.message)),nPublicKeys=items.map(i=>normPub(i.publicKey)),
messagePubKeyMap=new Map;for(let i=0;i<nPublicKeys.length;i++){let pub=nPublicKeys[i],msg=nMessages[i],keys=messagePubKeyMap.get(msg);keys===void 0&&(keys=[],messagePubKeyMap.
set(msg,keys)),keys.push(pub)}let paired=[],G=PubPoint.BASE;try{for(let[msg,keys]of messagePubKeyMap){let groupPublicKey=keys.reduce((acc,msg2)=>acc.add(msg2));
paired.push(pair(groupPublicKey,msg))}return paired.push(pair(G.negate(),sig)),Fp122.eql(pairingBatch(paired),Fp122.ONE)}catch{return!1}},aggregatePublicKeys(publicKeys){
aNonEmpty(publicKeys),publicKeys=publicKeys.map(pub=>normPub(pub));let agg=publicKeys.reduce((sum,p)=>sum.add(p),PubPoint.ZERO);return agg.assertValidity(),agg},
aggregateSignatures(signatures){aNonEmpty(signatures),signatures=signatures.map(sig=>normSig(sig));let agg=signatures.reduce((sum,s)=>sum.add(s),SigPoint.ZERO);
return agg.assertValidity(),agg},hash(messageBytes,DST){return abytes2(messageBytes),hashToSigCurve(messageBytes,DST===void 0?void 0:{DST})},Signature:Object.freeze(
{...sigCoder})})}function blsBasic(fields2,G1_Point2,G2_Point2,params){let{Fp:Fp3,Fr,Fp2:Fp22,Fp6:Fp62,Fp12:Fp122}=fields2,G1={Point:G1_Point2},G2={Point:G2_Point2},
pairingRes=createBlsPairing(fields2,G1_Point2,G2_Point2,params),{millerLoopBatch,pairing,pairingBatch,calcPairingPrecomputes,randomSecretKey,lengths}=pairingRes;
return G1.Point.BASE.precompute(4),Object.freeze(G1),Object.freeze(G2),Object.freeze({lengths:Object.freeze(lengths),millerLoopBatch,pairing,pairingBatch,G1,G2,
fields:Object.freeze({Fr,Fp:Fp3,Fp2:Fp22,Fp6:Fp62,Fp12:Fp122}),params:Object.freeze({ateLoopSize:params.ateLoopSize,xNegative:params.xNegative,twistType:params.
twistType,postPrecompute:params.postPrecompute}),utils:Object.freeze({randomSecretKey,calcPairingPrecomputes})})}function blsHashers(fields2,G1_Point2,G2_Point2,params,hasherParams){
let base=blsBasic(fields2,G1_Point2,G2_Point2,params);validateObject(hasherParams,{hasherOpts:"object",hasherOptsG1:"object",hasherOptsG2:"object"},{mapToG1:"fu\
nction",mapToG2:"function"},"hasherParams");let G1Hasher=createHasher2(G1_Point2,hasherParams.mapToG1===void 0?notImplemented:hasherParams.mapToG1,{...hasherParams.
hasherOpts,...hasherParams.hasherOptsG1}),G2Hasher=createHasher2(G2_Point2,hasherParams.mapToG2===void 0?notImplemented:hasherParams.mapToG2,{...hasherParams.hasherOpts,
...hasherParams.hasherOptsG2});return Object.freeze({...base,G1:G1Hasher,G2:G2Hasher})}function bls(fields2,G1_Point2,G2_Point2,params,hasherParams,signatureCoders2){
let base=blsHashers(fields2,G1_Point2,G2_Point2,params,hasherParams),pairingRes={...base,Fr:base.fields.Fr,Fp12:base.fields.Fp12,calcPairingPrecomputes:base.utils.
calcPairingPrecomputes,randomSecretKey:base.utils.randomSecretKey},longSignatures=createBlsSig(pairingRes,G1_Point2,G2_Point2,!1,base.G2.hashToCurve,signatureCoders2?.
LongSignature),shortSignatures=createBlsSig(pairingRes,G2_Point2,G1_Point2,!0,base.G1.hashToCurve,signatureCoders2?.ShortSignature);return Object.freeze({...base,
longSignatures,shortSignatures})}var _0n8=BigInt(0),_1n7=BigInt(1),_2n5=BigInt(2),_3n5=BigInt(3),_6n=BigInt(6),_12n=BigInt(12),isObj=value=>!!value&&typeof value=="object";function calcFrobeniusCoefficients(Fp3,nonResidue,modulus,degree,num=1,divisor){
asafenumber(num,"num"),asafenumber(degree,"degree");let divisorN=divisor===void 0?degree:divisor;asafenumber(divisorN,"divisor");let F=Fp3;if(typeof modulus!="b\
igint"||modulus<=_1n7)throw new Error("calcFrobeniusCoefficients: expected valid modulus, got "+modulus);if(degree<=0)throw new Error("calcFrobeniusCoefficients\
: expected positive degree, got "+degree);if(num<=0)throw new Error("calcFrobeniusCoefficients: expected positive row count, got "+num);if(divisorN<=0)throw new Error(
"calcFrobeniusCoefficients: expected positive divisor, got "+divisorN);let _divisor=BigInt(divisorN),towerModulus=modulus**BigInt(degree),res=[];for(let i=0;i<num;i++){
let a=BigInt(i+1),powers=[];for(let j=0,qPower=_1n7;j<degree;j++){let numer=a*qPower-a;if(numer%_divisor)throw new Error("calcFrobeniusCoefficients: inexact tow\
er exponent");let power=numer/_divisor%towerModulus;powers.push(F.pow(nonResidue,power)),qPower*=modulus}res.push(powers)}return res}function psiFrobenius(Fp3,Fp22,base){if(validateField(Fp3),validateField(Fp22),validateObject(Fp22,{Fp:"object",frobeniusMap:"function",fromBigTuple:"function",
mulByB:"function",mulByNonresidue:"function",reim:"function",Fp4Square:"function",NONRESIDUE:"object"},{}),!isObj(base)||Array.isArray(base))throw new TypeError(
'"base" expected Fp2 element, got type='+typeof base);if(!Fp22.isValid(base))throw new RangeError('"base" expected valid Fp2 element');let PSI_X=Fp22.pow(base,(Fp3.
ORDER-_1n7)/_3n5),PSI_Y=Fp22.pow(base,(Fp3.ORDER-_1n7)/_2n5);function psi(x,y){let x2=Fp22.mul(Fp22.frobeniusMap(x,1),PSI_X),y2=Fp22.mul(Fp22.frobeniusMap(y,1),
PSI_Y);return[x2,y2]}let PSI2_X=Fp22.pow(base,(Fp3.ORDER**_2n5-_1n7)/_3n5),PSI2_Y=Fp22.pow(base,(Fp3.ORDER**_2n5-_1n7)/_2n5);if(!Fp22.eql(PSI2_Y,Fp22.neg(Fp22.ONE)))
throw new Error("psiFrobenius: PSI2_Y!==-1");function psi2(x,y){return[Fp22.mul(x,PSI2_X),Fp22.neg(y)]}let mapAffine=fn=>(c,P)=>{if(typeof c!="function")throw new TypeError(
'"c" expected point constructor, got type='+typeof c);if(validatePointCons(c),!(P instanceof c))throw new TypeError('"P" expected Point instance, got type='+typeof P);
let affine=P.toAffine(),p=fn(affine.x,affine.y);return c.fromAffine({x:p[0],y:p[1]})},G2psi3=mapAffine(psi),G2psi22=mapAffine(psi2);return{psi,psi2,G2psi:G2psi3,
G2psi2:G2psi22,PSI_X,PSI_Y,PSI2_X,PSI2_Y}}var _Field2=class{ORDER;BITS;BYTES;isLE;ZERO;ONE;Fp;NONRESIDUE;mulByB;Fp_NONRESIDUE;Fp_div2;constructor(Fp3,opts={}){let{
NONRESIDUE=BigInt(-1),FP2_NONRESIDUE,Fp2mulByB}=opts,ORDER=Fp3.ORDER,FP2_ORDER=ORDER*ORDER;this.Fp=Fp3,this.ORDER=FP2_ORDER,this.BITS=bitLen(FP2_ORDER),this.BYTES=
Math.ceil(bitLen(FP2_ORDER)/8),this.isLE=Fp3.isLE,this.ZERO=this.create({c0:Fp3.ZERO,c1:Fp3.ZERO}),this.ONE=this.create({c0:Fp3.ONE,c1:Fp3.ZERO}),this.Fp_NONRESIDUE=
Fp3.create(NONRESIDUE),this.Fp_div2=Fp3.div(Fp3.ONE,_2n5),this.NONRESIDUE=this.create({c0:FP2_NONRESIDUE[0],c1:FP2_NONRESIDUE[1]}),this.mulByB=num=>{let{c0,c1}=Fp2mulByB(
num);return Object.freeze({c0,c1})},Object.freeze(this)}fromBigTuple(tuple){if(!Array.isArray(tuple)||tuple.length!==2)throw new Error("invalid Fp2.fromBigTuple");
let[c0,c1]=tuple;if(typeof c0!="bigint"||typeof c1!="bigint")throw new Error("invalid Fp2.fromBigTuple");return this.create({c0,c1})}create(num){let{Fp:Fp3}=this,
c0=Fp3.create(num.c0),c1=Fp3.create(num.c1);return Object.freeze({c0,c1})}isValid(num){if(!isObj(num))throw new TypeError("invalid field element: expected objec\
t, got "+typeof num);let{c0,c1}=num,{Fp:Fp3}=this;return Fp3.isValid(c0)&&Fp3.isValid(c1)}is0(num){if(!isObj(num))return!1;let{c0,c1}=num,{Fp:Fp3}=this;return Fp3.
is0(c0)&&Fp3.is0(c1)}isValidNot0(num){return!this.is0(num)&&this.isValid(num)}eql({c0,c1},{c0:r0,c1:r1}){let{Fp:Fp3}=this;return Fp3.eql(c0,r0)&&Fp3.eql(c1,r1)}neg({
c0,c1}){let{Fp:Fp3}=this;return Object.freeze({c0:Fp3.neg(c0),c1:Fp3.neg(c1)})}pow(num,power){return FpPow(this,num,power)}invertBatch(nums){return FpInvertBatch(
this,nums,!0)}add(f1,f2){let{Fp:Fp3}=this,{c0,c1}=f1,{c0:r0,c1:r1}=f2;return Object.freeze({c0:Fp3.add(c0,r0),c1:Fp3.add(c1,r1)})}sub({c0,c1},{c0:r0,c1:r1}){let{
Fp:Fp3}=this;return Object.freeze({c0:Fp3.sub(c0,r0),c1:Fp3.sub(c1,r1)})}mul({c0,c1},rhs){let{Fp:Fp3}=this;if(typeof rhs=="bigint")return Object.freeze({c0:Fp3.
mul(c0,rhs),c1:Fp3.mul(c1,rhs)});let{c0:r0,c1:r1}=rhs,t1=Fp3.mul(c0,r0),t2=Fp3.mul(c1,r1),o0=Fp3.sub(t1,t2),o1=Fp3.sub(Fp3.mul(Fp3.add(c0,c1),Fp3.add(r0,r1)),Fp3.
add(t1,t2));return Object.freeze({c0:o0,c1:o1})}sqr({c0,c1}){let{Fp:Fp3}=this,a=Fp3.add(c0,c1),b=Fp3.sub(c0,c1),c=Fp3.add(c0,c0);return Object.freeze({c0:Fp3.mul(
a,b),c1:Fp3.mul(c,c1)})}addN(a,b){return this.add(a,b)}subN(a,b){return this.sub(a,b)}mulN(a,b){return this.mul(a,b)}sqrN(a){return this.sqr(a)}div(lhs,rhs){let{
Fp:Fp3}=this;return this.mul(lhs,typeof rhs=="bigint"?Fp3.inv(Fp3.create(rhs)):this.inv(rhs))}inv({c0:a,c1:b}){let{Fp:Fp3}=this,factor=Fp3.inv(Fp3.create(a*a+b*
b));return Object.freeze({c0:Fp3.mul(factor,Fp3.create(a)),c1:Fp3.mul(factor,Fp3.create(-b))})}sqrt(num){let{Fp:Fp3}=this,Fp22=this,{c0,c1}=num;if(Fp3.is0(c1))return FpLegendre(
Fp3,c0)===1?Fp22.create({c0:Fp3.sqrt(c0),c1:Fp3.ZERO}):Fp22.create({c0:Fp3.ZERO,c1:Fp3.sqrt(Fp3.div(c0,this.Fp_NONRESIDUE))});let a=Fp3.sqrt(Fp3.sub(Fp3.sqr(c0),
Fp3.mul(Fp3.sqr(c1),this.Fp_NONRESIDUE))),d=Fp3.mul(Fp3.add(a,c0),this.Fp_div2);FpLegendre(Fp3,d)===-1&&(d=Fp3.sub(d,a));let a0=Fp3.sqrt(d),candidateSqrt=Fp22.create(
{c0:a0,c1:Fp3.div(Fp3.mul(c1,this.Fp_div2),a0)});if(!Fp22.eql(Fp22.sqr(candidateSqrt),num))throw new Error("Cannot find square root");let x1=candidateSqrt,x2=Fp22.
neg(x1),{re:re1,im:im1}=Fp22.reim(x1),{re:re2,im:im2}=Fp22.reim(x2);return im1>im2||im1===im2&&re1>re2?x1:x2}isOdd(x){let{re:x0,im:x1}=this.reim(x),sign_0=x0%_2n5,
zero_0=x0===_0n8,sign_1=x1%_2n5;return BigInt(sign_0||zero_0&&sign_1)==_1n7}fromBytes(b){let{Fp:Fp3}=this;if(abytes2(b),b.length!==this.BYTES)throw new Error("f\
romBytes invalid length="+b.length);return this.create({c0:Fp3.fromBytes(b.subarray(0,Fp3.BYTES)),c1:Fp3.fromBytes(b.subarray(Fp3.BYTES))})}toBytes({c0,c1}){return concatBytes2(
this.Fp.toBytes(c0),this.Fp.toBytes(c1))}cmov({c0,c1},{c0:r0,c1:r1},c){let{Fp:Fp3}=this;return this.create({c0:Fp3.cmov(c0,r0,c),c1:Fp3.cmov(c1,r1,c)})}reim({c0,
c1}){return{re:c0,im:c1}}Fp4Square(a,b){let Fp22=this,a2=Fp22.sqr(a),b2=Fp22.sqr(b);return{first:Fp22.add(Fp22.mulByNonresidue(b2),a2),second:Fp22.sub(Fp22.sub(
Fp22.sqr(Fp22.add(a,b)),a2),b2)}}mulByNonresidue({c0,c1}){let{Fp:Fp3,NONRESIDUE:nr}=this;return nr.c0===Fp3.ONE&&nr.c1===Fp3.ONE?Object.freeze({c0:Fp3.sub(c0,c1),
c1:Fp3.add(c0,c1)}):nr.c1===Fp3.ONE?Object.freeze({c0:Fp3.sub(Fp3.mul(c0,nr.c0),c1),c1:Fp3.add(c0,Fp3.mul(c1,nr.c0))}):this.mul({c0,c1},nr)}frobeniusMap(num,power){
let{c0,c1}=num,{Fp:Fp3}=this;return Object.freeze({c0,c1:power%2===0?c1:Fp3.neg(c1)})}},_Field6=class{ORDER;BITS;BYTES;isLE;ZERO;ONE;Fp2;constructor(Fp22){this.
Fp2=Fp22,this.ORDER=Fp22.Fp.ORDER**_6n,this.BITS=3*Fp22.BITS,this.BYTES=3*Fp22.BYTES,this.isLE=Fp22.isLE,this.ZERO=this.create({c0:Fp22.ZERO,c1:Fp22.ZERO,c2:Fp22.
ZERO}),this.ONE=this.create({c0:Fp22.ONE,c1:Fp22.ZERO,c2:Fp22.ZERO}),Object.freeze(this)}get FROBENIUS_COEFFICIENTS_1(){let frob2=_FROBENIUS_COEFFICIENTS_6.get(
this);if(frob2)return frob2[0];let{Fp2:Fp22}=this,{Fp:Fp3}=Fp22,rows=calcFrobeniusCoefficients(Fp22,Fp22.NONRESIDUE,Fp3.ORDER,6,2,3),cache=[Object.freeze(rows[0]),
Object.freeze(rows[1])];return _FROBENIUS_COEFFICIENTS_6.set(this,cache),cache[0]}get FROBENIUS_COEFFICIENTS_2(){let frob2=_FROBENIUS_COEFFICIENTS_6.get(this);return frob2?
frob2[1]:(this.FROBENIUS_COEFFICIENTS_1,_FROBENIUS_COEFFICIENTS_6.get(this)[1])}add({c0,c1,c2},{c0:r0,c1:r1,c2:r2}){let{Fp2:Fp22}=this;return Object.freeze({c0:Fp22.
add(c0,r0),c1:Fp22.add(c1,r1),c2:Fp22.add(c2,r2)})}sub({c0,c1,c2},{c0:r0,c1:r1,c2:r2}){let{Fp2:Fp22}=this;return Object.freeze({c0:Fp22.sub(c0,r0),c1:Fp22.sub(c1,
r1),c2:Fp22.sub(c2,r2)})}mul({c0,c1,c2},rhs){let{Fp2:Fp22}=this;if(typeof rhs=="bigint")return Object.freeze({c0:Fp22.mul(c0,rhs),c1:Fp22.mul(c1,rhs),c2:Fp22.mul(
c2,rhs)});let{c0:r0,c1:r1,c2:r2}=rhs,t0=Fp22.mul(c0,r0),t1=Fp22.mul(c1,r1),t2=Fp22.mul(c2,r2);return Object.freeze({c0:Fp22.add(t0,Fp22.mulByNonresidue(Fp22.sub(
Fp22.mul(Fp22.add(c1,c2),Fp22.add(r1,r2)),Fp22.add(t1,t2)))),c1:Fp22.add(Fp22.sub(Fp22.mul(Fp22.add(c0,c1),Fp22.add(r0,r1)),Fp22.add(t0,t1)),Fp22.mulByNonresidue(
t2)),c2:Fp22.sub(Fp22.add(t1,Fp22.mul(Fp22.add(c0,c2),Fp22.add(r0,r2))),Fp22.add(t0,t2))})}sqr({c0,c1,c2}){let{Fp2:Fp22}=this,t0=Fp22.sqr(c0),t1=Fp22.mul(Fp22.mul(
c0,c1),_2n5),t3=Fp22.mul(Fp22.mul(c1,c2),_2n5),t4=Fp22.sqr(c2);return Object.freeze({c0:Fp22.add(Fp22.mulByNonresidue(t3),t0),c1:Fp22.add(Fp22.mulByNonresidue(t4),
t1),c2:Fp22.sub(Fp22.sub(Fp22.add(Fp22.add(t1,Fp22.sqr(Fp22.add(Fp22.sub(c0,c1),c2))),t3),t0),t4)})}addN(a,b){return this.add(a,b)}subN(a,b){return this.sub(a,b)}mulN(a,b){
return this.mul(a,b)}sqrN(a){return this.sqr(a)}create(num){let{Fp2:Fp22}=this,c0=Fp22.create(num.c0),c1=Fp22.create(num.c1),c2=Fp22.create(num.c2);return Object.
freeze({c0,c1,c2})}isValid(num){if(!isObj(num))throw new TypeError("invalid field element: expected object, got "+typeof num);let{c0,c1,c2}=num,{Fp2:Fp22}=this;
return Fp22.isValid(c0)&&Fp22.isValid(c1)&&Fp22.isValid(c2)}is0(num){if(!isObj(num))return!1;let{c0,c1,c2}=num,{Fp2:Fp22}=this;return Fp22.is0(c0)&&Fp22.is0(c1)&&
Fp22.is0(c2)}isValidNot0(num){return!this.is0(num)&&this.isValid(num)}neg({c0,c1,c2}){let{Fp2:Fp22}=this;return Object.freeze({c0:Fp22.neg(c0),c1:Fp22.neg(c1),c2:Fp22.
neg(c2)})}eql({c0,c1,c2},{c0:r0,c1:r1,c2:r2}){let{Fp2:Fp22}=this;return Fp22.eql(c0,r0)&&Fp22.eql(c1,r1)&&Fp22.eql(c2,r2)}sqrt(_){return notImplemented()}div(lhs,rhs){
let{Fp2:Fp22}=this,{Fp:Fp3}=Fp22;return this.mul(lhs,typeof rhs=="bigint"?Fp3.inv(Fp3.create(rhs)):this.inv(rhs))}pow(num,power){return FpPow(this,num,power)}invertBatch(nums){
return FpInvertBatch(this,nums,!0)}inv({c0,c1,c2}){let{Fp2:Fp22}=this,t0=Fp22.sub(Fp22.sqr(c0),Fp22.mulByNonresidue(Fp22.mul(c2,c1))),t1=Fp22.sub(Fp22.mulByNonresidue(
Fp22.sqr(c2)),Fp22.mul(c0,c1)),t2=Fp22.sub(Fp22.sqr(c1),Fp22.mul(c0,c2)),t4=Fp22.inv(Fp22.add(Fp22.mulByNonresidue(Fp22.add(Fp22.mul(c2,t1),Fp22.mul(c1,t2))),Fp22.
mul(c0,t0)));return Object.freeze({c0:Fp22.mul(t4,t0),c1:Fp22.mul(t4,t1),c2:Fp22.mul(t4,t2)})}fromBytes(b){let{Fp2:Fp22}=this;if(abytes2(b),b.length!==this.BYTES)
throw new Error("fromBytes invalid length="+b.length);let B2=Fp22.BYTES;return this.create({c0:Fp22.fromBytes(b.subarray(0,B2)),c1:Fp22.fromBytes(b.subarray(B2,
B2*2)),c2:Fp22.fromBytes(b.subarray(2*B2))})}toBytes({c0,c1,c2}){let{Fp2:Fp22}=this;return concatBytes2(Fp22.toBytes(c0),Fp22.toBytes(c1),Fp22.toBytes(c2))}cmov({
c0,c1,c2},{c0:r0,c1:r1,c2:r2},c){let{Fp2:Fp22}=this;return this.create({c0:Fp22.cmov(c0,r0,c),c1:Fp22.cmov(c1,r1,c),c2:Fp22.cmov(c2,r2,c)})}fromBigSix(tuple){let{
Fp2:Fp22}=this;if(!Array.isArray(tuple)||tuple.length!==6)throw new Error("invalid Fp6.fromBigSix");for(let i=0;i<6;i++)if(typeof tuple[i]!="bigint")throw new Error(
"invalid Fp6.fromBigSix");let t=tuple;return this.create({c0:Fp22.fromBigTuple(t.slice(0,2)),c1:Fp22.fromBigTuple(t.slice(2,4)),c2:Fp22.fromBigTuple(t.slice(4,6))})}frobeniusMap(num,power){
let{c0,c1,c2}=num;if(power%6===0)return Object.freeze({c0,c1,c2});let{Fp2:Fp22}=this;return Object.freeze({c0:Fp22.frobeniusMap(c0,power),c1:Fp22.mul(Fp22.frobeniusMap(
c1,power),this.FROBENIUS_COEFFICIENTS_1[power%6]),c2:Fp22.mul(Fp22.frobeniusMap(c2,power),this.FROBENIUS_COEFFICIENTS_2[power%6])})}mulByFp2({c0,c1,c2},rhs){let{
Fp2:Fp22}=this;return Object.freeze({c0:Fp22.mul(c0,rhs),c1:Fp22.mul(c1,rhs),c2:Fp22.mul(c2,rhs)})}mulByNonresidue({c0,c1,c2}){let{Fp2:Fp22}=this;return Object.
freeze({c0:Fp22.mulByNonresidue(c2),c1:c0,c2:c1})}mul1({c0,c1,c2},b1){let{Fp2:Fp22}=this;return Object.freeze({c0:Fp22.mulByNonresidue(Fp22.mul(c2,b1)),c1:Fp22.
mul(c0,b1),c2:Fp22.mul(c1,b1)})}mul01({c0,c1,c2},b0,b1){let{Fp2:Fp22}=this,t0=Fp22.mul(c0,b0),t1=Fp22.mul(c1,b1);return Object.freeze({c0:Fp22.add(Fp22.mulByNonresidue(
Fp22.sub(Fp22.mul(Fp22.add(c1,c2),b1),t1)),t0),c1:Fp22.sub(Fp22.sub(Fp22.mul(Fp22.add(b0,b1),Fp22.add(c0,c1)),t0),t1),c2:Fp22.add(Fp22.sub(Fp22.mul(Fp22.add(c0,
c2),b0),t0),t1)})}},_FROBENIUS_COEFFICIENTS_6=new WeakMap,_Field12=class{ORDER;BITS;BYTES;isLE;ZERO;ONE;Fp6;X_LEN;finalExponentiate;constructor(Fp62,opts){let{X_LEN,
Fp12finalExponentiate}=opts,{Fp2:Fp22}=Fp62,{Fp:Fp3}=Fp22;this.Fp6=Fp62,this.ORDER=Fp3.ORDER**_12n,this.BITS=2*Fp62.BITS,this.BYTES=2*Fp62.BYTES,this.isLE=Fp62.
isLE,this.ZERO=this.create({c0:Fp62.ZERO,c1:Fp62.ZERO}),this.ONE=this.create({c0:Fp62.ONE,c1:Fp62.ZERO}),this.X_LEN=X_LEN,this.finalExponentiate=num=>{let copy2=({
c0,c1})=>Object.freeze({c0,c1}),copy6=({c0,c1,c2})=>Object.freeze({c0:copy2(c0),c1:copy2(c1),c2:copy2(c2)}),res=Fp12finalExponentiate(num);return Object.freeze(
{c0:copy6(res.c0),c1:copy6(res.c1)})},Object.freeze(this)}get FROBENIUS_COEFFICIENTS(){let frob2=_FROBENIUS_COEFFICIENTS_12.get(this);if(frob2)return frob2;let{
Fp2:Fp22}=this.Fp6,{Fp:Fp3}=Fp22,cache=Object.freeze(calcFrobeniusCoefficients(Fp22,Fp22.NONRESIDUE,Fp3.ORDER,12,1,6)[0]);return _FROBENIUS_COEFFICIENTS_12.set(
this,cache),cache}create(num){let{Fp6:Fp62}=this,c0=Fp62.create(num.c0),c1=Fp62.create(num.c1);return Object.freeze({c0,c1})}isValid(num){if(!isObj(num))throw new TypeError(
"invalid field element: expected object, got "+typeof num);let{c0,c1}=num,{Fp6:Fp62}=this;return Fp62.isValid(c0)&&Fp62.isValid(c1)}is0(num){if(!isObj(num))return!1;
let{c0,c1}=num,{Fp6:Fp62}=this;return Fp62.is0(c0)&&Fp62.is0(c1)}isValidNot0(num){return!this.is0(num)&&this.isValid(num)}neg({c0,c1}){let{Fp6:Fp62}=this;return Object.
freeze({c0:Fp62.neg(c0),c1:Fp62.neg(c1)})}eql({c0,c1},{c0:r0,c1:r1}){let{Fp6:Fp62}=this;return Fp62.eql(c0,r0)&&Fp62.eql(c1,r1)}sqrt(_){return notImplemented()}inv({
c0,c1}){let{Fp6:Fp62}=this,t=Fp62.inv(Fp62.sub(Fp62.sqr(c0),Fp62.mulByNonresidue(Fp62.sqr(c1))));return Object.freeze({c0:Fp62.mul(c0,t),c1:Fp62.neg(Fp62.mul(c1,
t))})}div(lhs,rhs){let{Fp6:Fp62}=this,{Fp2:Fp22}=Fp62,{Fp:Fp3}=Fp22;return this.mul(lhs,typeof rhs=="bigint"?Fp3.inv(Fp3.create(rhs)):this.inv(rhs))}pow(num,power){
return FpPow(this,num,power)}invertBatch(nums){return FpInvertBatch(this,nums,!0)}add({c0,c1},{c0:r0,c1:r1}){let{Fp6:Fp62}=this;return Object.freeze({c0:Fp62.add(
c0,r0),c1:Fp62.add(c1,r1)})}sub({c0,c1},{c0:r0,c1:r1}){let{Fp6:Fp62}=this;return Object.freeze({c0:Fp62.sub(c0,r0),c1:Fp62.sub(c1,r1)})}mul({c0,c1},rhs){let{Fp6:Fp62}=this;
if(typeof rhs=="bigint")return Object.freeze({c0:Fp62.mul(c0,rhs),c1:Fp62.mul(c1,rhs)});let{c0:r0,c1:r1}=rhs,t1=Fp62.mul(c0,r0),t2=Fp62.mul(c1,r1);return Object.
freeze({c0:Fp62.add(t1,Fp62.mulByNonresidue(t2)),c1:Fp62.sub(Fp62.mul(Fp62.add(c0,c1),Fp62.add(r0,r1)),Fp62.add(t1,t2))})}sqr({c0,c1}){let{Fp6:Fp62}=this,ab=Fp62.
mul(c0,c1);return Object.freeze({c0:Fp62.sub(Fp62.sub(Fp62.mul(Fp62.add(Fp62.mulByNonresidue(c1),c0),Fp62.add(c0,c1)),ab),Fp62.mulByNonresidue(ab)),c1:Fp62.add(
ab,ab)})}addN(a,b){return this.add(a,b)}subN(a,b){return this.sub(a,b)}mulN(a,b){return this.mul(a,b)}sqrN(a){return this.sqr(a)}fromBytes(b){let{Fp6:Fp62}=this;
if(abytes2(b),b.length!==this.BYTES)throw new Error("fromBytes invalid length="+b.length);return this.create({c0:Fp62.fromBytes(b.subarray(0,Fp62.BYTES)),c1:Fp62.
fromBytes(b.subarray(Fp62.BYTES))})}toBytes({c0,c1}){let{Fp6:Fp62}=this;return concatBytes2(Fp62.toBytes(c0),Fp62.toBytes(c1))}cmov({c0,c1},{c0:r0,c1:r1},c){let{
Fp6:Fp62}=this;return this.create({c0:Fp62.cmov(c0,r0,c),c1:Fp62.cmov(c1,r1,c)})}fromBigTwelve(tuple){let{Fp6:Fp62}=this;if(!Array.isArray(tuple)||tuple.length!==
12)throw new Error("invalid Fp12.fromBigTwelve");for(let i=0;i<12;i++)if(typeof tuple[i]!="bigint")throw new Error("invalid Fp12.fromBigTwelve");let t=tuple;return this.
create({c0:Fp62.fromBigSix(t.slice(0,6)),c1:Fp62.fromBigSix(t.slice(6,12))})}frobeniusMap(lhs,power){let p=power%12;if(p===0)return Object.freeze({c0:lhs.c0,c1:lhs.
c1});if(p===6)return this.conjugate(lhs);let{Fp6:Fp62}=this,{Fp2:Fp22}=Fp62,{c0,c1,c2}=Fp62.frobeniusMap(lhs.c1,power),coeff=this.FROBENIUS_COEFFICIENTS[p];return Object.
freeze({c0:Fp62.frobeniusMap(lhs.c0,power),c1:Object.freeze({c0:Fp22.mul(c0,coeff),c1:Fp22.mul(c1,coeff),c2:Fp22.mul(c2,coeff)})})}mulByFp2({c0,c1},rhs){let{Fp6:Fp62}=this;
return Object.freeze({c0:Fp62.mulByFp2(c0,rhs),c1:Fp62.mulByFp2(c1,rhs)})}conjugate({c0,c1}){return Object.freeze({c0,c1:this.Fp6.neg(c1)})}_cyclotomicSquare({c0,
c1}){let{Fp6:Fp62}=this,{Fp2:Fp22}=Fp62,{c0:c0c0,c1:c0c1,c2:c0c2}=c0,{c0:c1c0,c1:c1c1,c2:c1c2}=c1,{first:t3,second:t4}=Fp22.Fp4Square(c0c0,c1c1),{first:t5,second:t6}=Fp22.
Fp4Square(c1c0,c0c2),{first:t7,second:t8}=Fp22.Fp4Square(c0c1,c1c2),t9=Fp22.mulByNonresidue(t8);return Object.freeze({c0:Object.freeze({c0:Fp22.add(Fp22.mul(Fp22.
sub(t3,c0c0),_2n5),t3),c1:Fp22.add(Fp22.mul(Fp22.sub(t5,c0c1),_2n5),t5),c2:Fp22.add(Fp22.mul(Fp22.sub(t7,c0c2),_2n5),t7)}),c1:Object.freeze({c0:Fp22.add(Fp22.mul(
Fp22.add(t9,c1c0),_2n5),t9),c1:Fp22.add(Fp22.mul(Fp22.add(t4,c1c1),_2n5),t4),c2:Fp22.add(Fp22.mul(Fp22.add(t6,c1c2),_2n5),t6)})})}_cyclotomicExp(num,n){if(aInRange(
"cyclotomic exponent",n,_0n8,_1n7<<BigInt(this.X_LEN)),n===_0n8)return this.ONE;let z=num;for(let i=bitLen(n)-2;i>=0;i--)z=this._cyclotomicSquare(z),bitGet(n,i)&&
(z=this.mul(z,num));return z}},_FROBENIUS_COEFFICIENTS_12=new WeakMap;function tower12(opts){if(validateObject(opts,{ORDER:"bigint",X_LEN:"number",FP2_NONRESIDUE:"\
object",Fp2mulByB:"function",Fp12finalExponentiate:"function"},{NONRESIDUE:"bigint"}),asafenumber(opts.X_LEN,"X_LEN"),opts.X_LEN<1)throw new Error("invalid X_LE\
N");let nonresidue=opts.FP2_NONRESIDUE;if(!Array.isArray(nonresidue)||nonresidue.length!==2)throw new Error("invalid FP2_NONRESIDUE");if(typeof nonresidue[0]!="\
bigint"||typeof nonresidue[1]!="bigint")throw new Error("invalid FP2_NONRESIDUE");let Fp3=Field(opts.ORDER),Fp22=new _Field2(Fp3,opts),Fp62=new _Field6(Fp22),Fp122=new _Field12(
Fp62,opts);return{Fp:Fp3,Fp2:Fp22,Fp6:Fp62,Fp12:Fp122}}var _0n9=BigInt(0),_1n8=BigInt(1),_2n6=BigInt(2),_3n6=BigInt(3),_4n5=BigInt(4),BLS_X=BigInt("0xd201000000010000"),BLS_X_LEN=bitLen(BLS_X),bls12_381_CURVE_G1={p:BigInt(
"0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab"),n:BigInt("0x73eda753299d7d483339d80809a1d80553bda402fffe5b\
feffffffff00000001"),h:BigInt("0x396c8c005555e1568c00aaab0000aaab"),a:_0n9,b:_4n5,Gx:BigInt("0x17f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586\
c55e83ff97a1aeffb3af00adb22c6bb"),Gy:BigInt("0x08b3f481e3aaa0f1a09e30ed741d8ae4fcf5e095d5d00af600db18cb2c04b3edd03cc744a2888ae40caa232946c5e7e1")},bls12_381_Fr=Field(
bls12_381_CURVE_G1.n,{modFromBytes:!0});function bls12FromCompressed(g0,g12,{g2:g22,g3,g4,g5}){return{c0:{c0:g0,c1:g4,c2:g3},c1:{c0:g22,c1:g12,c2:g5}}}function bls12Compress({
c0,c1}){return{g2:c1.c0,g3:c0.c2,g4:c0.c1,g5:c1.c2}}function bls12CyclotomicSquareCompressed({g2:g22,g3,g4,g5}){let{first:h23c0,second:h23c1}=Fp2.Fp4Square(g4,g5),
{first:h45c0,second:h45c1}=Fp2.Fp4Square(g22,g3),d2=Fp2.add(g22,g22),d3=Fp2.add(g3,g3),d4=Fp2.add(g4,g4),d5=Fp2.add(g5,g5);return{g2:Fp2.add(Fp2.mul(Fp2.mulByNonresidue(
h23c1),_3n6),d2),g3:Fp2.sub(Fp2.mul(h23c0,_3n6),d3),g4:Fp2.sub(Fp2.mul(h45c0,_3n6),d4),g5:Fp2.add(Fp2.mul(h45c1,_3n6),d5)}}function bls12RecoverG1Ratio({g2:g22,
g3,g4,g5}){return Fp2.is0(g22)?{num:Fp2.mul(Fp2.mul(g4,g5),_2n6),den:g3}:{num:Fp2.add(Fp2.sub(Fp2.mul(Fp2.sqr(g4),_3n6),Fp2.mul(g3,_2n6)),Fp2.mulByNonresidue(Fp2.
sqr(g5))),den:Fp2.mul(g22,_4n5)}}function bls12RecoverG0(g12,{g2:g22,g3,g4,g5}){let g3g4=Fp2.mul(g3,g4),t=Fp2.add(Fp2.sub(Fp2.mul(Fp2.sub(Fp2.sqr(g12),g3g4),_2n6),
g3g4),Fp2.mul(g22,g5));return Fp2.add(Fp2.mulByNonresidue(t),Fp2.ONE)}function bls12CyclotomicExpCompressed(num,squarings){let gs=[],g=bls12Compress(num);for(let count of squarings){
for(let i=0;i<count;i++)g=bls12CyclotomicSquareCompressed(g);gs.push(g)}let isOne=gs.map(({g2:g22,g3})=>Fp2.is0(g22)&&Fp2.is0(g3)),ratios=gs.map(bls12RecoverG1Ratio),
invDens=Fp2.invertBatch(ratios.map(({den})=>den)),elems=gs.map((compressed,i)=>{if(isOne[i])return Fp12.ONE;let g12=Fp2.mul(ratios[i].num,invDens[i]);return bls12FromCompressed(
bls12RecoverG0(g12,compressed),g12,compressed)});return{result:Fp12.mul(Fp12.mul(elems[0],elems[1]),elems[2]),last:elems[2]}}function bls12CyclotomicExpX(num){let{
result,last}=bls12CyclotomicExpCompressed(num,[16,32,9]),r=result,s=last;for(let i=0;i<3;i++)s=Fp12._cyclotomicSquare(s);r=Fp12.mul(r,s);for(let i=0;i<2;i++)s=Fp12.
_cyclotomicSquare(s);return r=Fp12.mul(r,s),s=Fp12._cyclotomicSquare(s),Fp12.mul(r,s)}var{Fp,Fp2,Fp6,Fp12}=tower12({ORDER:bls12_381_CURVE_G1.p,X_LEN:BLS_X_LEN,FP2_NONRESIDUE:[
_1n8,_1n8],Fp2mulByB:({c0,c1})=>{let t0=Fp.mul(c0,_4n5),t1=Fp.mul(c1,_4n5);return{c0:Fp.sub(t0,t1),c1:Fp.add(t0,t1)}},Fp12finalExponentiate:num=>{let powMinusX=num2=>Fp12.
conjugate(bls12CyclotomicExpX(num2)),t0=Fp12.div(Fp12.frobeniusMap(num,6),num),t1=Fp12.mul(Fp12.frobeniusMap(t0,2),t0),t2=powMinusX(t1),t3=Fp12.mul(Fp12.conjugate(
Fp12._cyclotomicSquare(t1)),t2),t4=powMinusX(t3),t5=powMinusX(t4),t6=Fp12.mul(powMinusX(t5),Fp12._cyclotomicSquare(t2)),t7=powMinusX(t6),t2_t5_pow_q2=Fp12.frobeniusMap(
Fp12.mul(t2,t5),2),t4_t1_pow_q3=Fp12.frobeniusMap(Fp12.mul(t4,t1),3),t6_t1c_pow_q1=Fp12.frobeniusMap(Fp12.mul(t6,Fp12.conjugate(t1)),1),t7_t3c_t1=Fp12.mul(Fp12.
mul(t7,Fp12.conjugate(t3)),t1);return Fp12.mul(Fp12.mul(Fp12.mul(t2_t5_pow_q2,t4_t1_pow_q3),t6_t1c_pow_q1),t7_t3c_t1)}}),frob,getFrob=()=>frob||(frob=psiFrobenius(
Fp,Fp2,Fp2.div(Fp2.ONE,Fp2.NONRESIDUE))),G2psi=(c,P)=>{let fn=getFrob().G2psi;return G2psi=fn,fn(c,P)},G2psi2=(c,P)=>{let fn=getFrob().G2psi2;return G2psi2=fn,fn(
c,P)},hasher_opts=Object.freeze({DST:"BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_NUL_",encodeDST:"BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_NUL_",p:Fp.ORDER,m:2,k:128,
expand:"xmd",hash:sha256}),bls12_381_CURVE_G2={p:Fp2.ORDER,n:bls12_381_CURVE_G1.n,h:BigInt("0x5d543a95414e7f1091d50792876a202cd91de4547085abaa68a205b2e5a7ddfa62\
8f1cb4d9e82ef21537e293a6691ae1616ec6e786f0c70cf1c38e31c7238e5"),a:Fp2.ZERO,b:Fp2.fromBigTuple([_4n5,_4n5]),Gx:Fp2.fromBigTuple([BigInt("0x024aa2b2f08f0a91260805\
272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8"),BigInt("0x13e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf1121\
3945d57e5ac7d055d042b7e")]),Gy:Fp2.fromBigTuple([BigInt("0x0ce5d527727d6e118cc9cdc6da2e351aadfd9baa8cbdd3a76d429a695160d12c923ac9cc3baca289e193548608b82801"),BigInt(
"0x0606c4a02ea734cc32acd2b02bc28b99cb3e287e85a763af267492ab572e99ab3f370d275cec1da1aaa9075ff05f79be")])},sortBit=(parts,p)=>{for(let part of parts)if(part!==_0n9)
return!!(part*_2n6/p);return!1},fp2={encode({c0,c1}){let{BYTES:L}=Fp;return concatBytes2(numberToBytesBE(c1,L),numberToBytesBE(c0,L))},decode(bytes){let{BYTES:L}=Fp;
return Fp2.create({c0:decodeFp(bytes.subarray(L)),c1:decodeFp(bytes.subarray(0,L))})}},BaseFp=Fp;function decodeFp(bytes){return Fp.fromBytes(bytes)}var coder=(name,Fp3,b,encode,decode,yparts)=>{
let F=Fp3,enc=encode,dec=decode,W=F.BYTES;return allowUncompressed=>({encode(point,compressed=!0){if(!compressed&&!allowUncompressed)throw new Error("invalid si\
gnature: expected compressed encoding");let infinity=point.is0(),{x,y}=point.toAffine(),bytes=compressed?enc(x):concatBytes2(enc(x),enc(y)),sort;return compressed&&
!infinity&&(sort=sortBit(yparts(y),BaseFp.ORDER)),setMask(bytes,{compressed,infinity,sort})},decode(bytes){let raw=allowUncompressed?abytes2(bytes,void 0,"point"):
abytes2(bytes,W,"signature"),{compressed,infinity,sort,value}=parseMask(raw);if(!allowUncompressed&&!compressed)throw new Error("invalid signature: expected com\
pressed encoding");let len=compressed?W:2*W;if(value.length!==len)throw new Error(`invalid ${name} point: expected ${len} bytes`);if(infinity){for(let b2 of value)
if(b2)throw new Error(`invalid ${name} point: non-canonical zero`);return{x:F.ZERO,y:F.ZERO}}let x=dec(compressed?value:value.subarray(0,W)),y;if(compressed){if(y=
F.sqrt(F.add(F.pow(x,_3n6),b)),!y)throw new Error(`invalid ${name} point: compressed`);sortBit(yparts(y),BaseFp.ORDER)!==sort&&(y=F.neg(y))}else y=dec(value.subarray(
W));if(!compressed&&F.is0(x)&&F.is0(y))throw new Error(`invalid ${name} point: uncompressed`);return{x,y}}})};function validateMask({compressed,infinity,sort}){
if(!compressed&&!infinity&&sort||!compressed&&infinity&&sort||compressed&&infinity&&sort)throw new Error("invalid encoding flag")}function parseMask(bytes){bytes=
copyBytes(bytes);let mask=bytes[0]&224,compressed=!!(mask>>7&1),infinity=!!(mask>>6&1),sort=!!(mask>>5&1);return validateMask({compressed,infinity,sort}),bytes[0]&=
31,{compressed,infinity,sort,value:bytes}}function setMask(bytes,mask){if(bytes[0]&224)throw new Error("setMask: non-empty mask");return validateMask({compressed:!!mask.
compressed,infinity:!!mask.infinity,sort:!!mask.sort}),mask.compressed&&(bytes[0]|=128),mask.infinity&&(bytes[0]|=64),mask.sort&&(bytes[0]|=32),bytes}var g1coder=coder(
"G1",Fp,Fp.create(bls12_381_CURVE_G1.b),x=>numberToBytesBE(x,Fp.BYTES),decodeFp,y=>[y]),g1={point:g1coder(!0),sig:g1coder(!1)},signatureG1ToBytes=point=>(point.
assertValidity(),g1.sig.encode(point));function signatureG1FromBytes(bytes){let point=bls12_381.G1.Point.fromAffine(g1.sig.decode(bytes));return point.assertValidity(),
point}var g2coder=coder("G2",Fp2,bls12_381_CURVE_G2.b,fp2.encode,fp2.decode,y=>[y.c1,y.c0]),g2={point:g2coder(!0),sig:g2coder(!1)},signatureG2ToBytes=point=>(point.
assertValidity(),g2.sig.encode(point));function signatureG2FromBytes(bytes){let point=bls12_381.G2.Point.fromAffine(g2.sig.decode(bytes));return point.assertValidity(),
point}var signatureCoders={ShortSignature:{fromBytes(bytes){return signatureG1FromBytes(abytes2(bytes))},fromHex(hex){return signatureG1FromBytes(hexToBytes2(hex))},
toBytes(point){return signatureG1ToBytes(point)},toRawBytes(point){return signatureG1ToBytes(point)},toHex(point){return bytesToHex2(signatureG1ToBytes(point))}},
LongSignature:{fromBytes(bytes){return signatureG2FromBytes(abytes2(bytes))},fromHex(hex){return signatureG2FromBytes(hexToBytes2(hex))},toBytes(point){return signatureG2ToBytes(
point)},toRawBytes(point){return signatureG2ToBytes(point)},toHex(point){return bytesToHex2(signatureG2ToBytes(point))}}},fields={Fp,Fp2,Fp6,Fp12,Fr:bls12_381_Fr},
G1_Point=weierstrass(bls12_381_CURVE_G1,{allowInfinityPoint:!0,Fn:bls12_381_Fr,fromBytes:g1.point.decode,toBytes:(_c,point,isComp)=>g1.point.encode(point,isComp),
isTorsionFree:(c,point)=>{let beta=BigInt("0x5f19672fdf76ce51ba69c6076a0f77eaddb3a93be6f89688de17d813620a00022e01fffffffefffe"),phi=new c(Fp.mul(point.X,beta),point.
Y,point.Z);return point.multiplyUnsafe(BLS_X).negate().multiplyUnsafe(BLS_X).equals(phi)},clearCofactor:(_c,point)=>point.multiplyUnsafe(BLS_X).add(point)}),G2_Point=weierstrass(
bls12_381_CURVE_G2,{Fp:Fp2,allowInfinityPoint:!0,Fn:bls12_381_Fr,fromBytes:g2.point.decode,toBytes:(_c,point,isComp)=>g2.point.encode(point,isComp),isTorsionFree:(c,P)=>P.
multiplyUnsafe(BLS_X).negate().equals(G2psi(c,P)),clearCofactor:(c,P)=>{let x=BLS_X,t1=P.multiplyUnsafe(x).negate(),t2=G2psi(c,P),t3=P.double();return t3=G2psi2(
c,t3),t3=t3.subtract(t2),t2=t1.add(t2),t2=t2.multiplyUnsafe(x).negate(),t3=t3.add(t2),t3=t3.subtract(t1),t3.subtract(P)}}),bls12_hasher_opts={mapToG1,mapToG2,hasherOpts:hasher_opts,
hasherOptsG1:{...hasher_opts,m:1,DST:"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_",encodeDST:"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"},hasherOptsG2:{...hasher_opts}},
bls12_params={ateLoopSize:BLS_X,xNegative:!0,twistType:"multiplicative",randomBytes:randomBytes2},bls12_381=bls(fields,G1_Point,G2_Point,bls12_params,bls12_hasher_opts,
signatureCoders),isogenyMapG2=isogenyMap(Fp2,[[["0x5c759507e8e333ebb5b7a9a47d7ed8532c52d39fd3a042a88b58423c50ae15d5c2638e343d9c71c6238aaaaaaaa97d6","0x5c759507e\
8e333ebb5b7a9a47d7ed8532c52d39fd3a042a88b58423c50ae15d5c2638e343d9c71c6238aaaaaaaa97d6"],["0x0","0x11560bf17baa99bc32126fced787c88f984f87adf7ae0c7f9a208c6b4f20a\
4181472aaa9cb8d555526a9ffffffffc71a"],["0x11560bf17baa99bc32126fced787c88f984f87adf7ae0c7f9a208c6b4f20a4181472aaa9cb8d555526a9ffffffffc71e","0x8ab05f8bdd54cde19\
0937e76bc3e447cc27c3d6fbd7063fcd104635a790520c0a395554e5c6aaaa9354ffffffffe38d"],["0x171d6541fa38ccfaed6dea691f5fb614cb14b4e7f4e810aa22d6108f142b85757098e38d0f6\
71c7188e2aaaaaaaa5ed1","0x0"]],[["0x0","0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaa63"],["0xc","0x1a0111ea3\
97fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaa9f"],["0x1","0x0"]],[["0x1530477c7ab4113b59a4c18b076d11930f7da5d4a07f649bf5\
4439d87d27e500fc8c25ebf8c92f6812cfc71c71c6d706","0x1530477c7ab4113b59a4c18b076d11930f7da5d4a07f649bf54439d87d27e500fc8c25ebf8c92f6812cfc71c71c6d706"],["0x0","0x\
5c759507e8e333ebb5b7a9a47d7ed8532c52d39fd3a042a88b58423c50ae15d5c2638e343d9c71c6238aaaaaaaa97be"],["0x11560bf17baa99bc32126fced787c88f984f87adf7ae0c7f9a208c6b4f\
20a4181472aaa9cb8d555526a9ffffffffc71c","0x8ab05f8bdd54cde190937e76bc3e447cc27c3d6fbd7063fcd104635a790520c0a395554e5c6aaaa9354ffffffffe38f"],["0x124c9ad43b6cf79\
bfbf7043de3811ad0761b0f37a1e26286b0e977c69aa274524e79097a56dc4bd9e1b371c71c718b10","0x0"]],[["0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f624\
1eabfffeb153ffffb9feffffffffa8fb","0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffa8fb"],["0x0","0x1a0111ea397fe6\
9a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffa9d3"],["0x12","0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f624\
1eabfffeb153ffffb9feffffffffaa99"],["0x1","0x0"]]].map(i=>i.map(pair=>Fp2.fromBigTuple(pair.map(BigInt))))),isogenyMapG1=isogenyMap(Fp,[["0x11a05f2b1e833340b809\
101dd99815856b303e88a2d7005ff2627b56cdb4e2c85610c2d5f2e62d6eaeac1662734649b7","0x17294ed3e943ab2f0588bab22147a81c7c17e75b2f6a8417f565e33c70d1e86b4838f2a6f318c35\
6e834eef1b3cb83bb","0xd54005db97678ec1d1048c5d10a9a1bce032473295983e56878e501ec68e25c958c3e3d2a09729fe0179f9dac9edcb0","0x1778e7166fcc6db74e0609d307e55412d7f5e4\
656a8dbf25f1b33289f1b330835336e25ce3107193c5b388641d9b6861","0xe99726a3199f4436642b4b3e4118e5499db995a1257fb3f086eeb65982fac18985a286f301e77c451154ce9ac8895d9",
"0x1630c3250d7313ff01d1201bf7a74ab5db3cb17dd952799b9ed3ab9097e68f90a0870d2dcae73d19cd13c1c66f652983","0xd6ed6553fe44d296a3726c38ae652bfb11586264f0f8ce19008e218f\
9c86b2a8da25128c1052ecaddd7f225a139ed84","0x17b81e7701abdbe2e8743884d1117e53356de5ab275b4db1a682c62ef0f2753339b7c8f8c8f475af9ccb5618e3f0c88e","0x80d3cf1f9a78fc4\
7b90b33563be990dc43b756ce79f5574a2c596c928c5d1de4fa295f296b74e956d71986a8497e317","0x169b1f8e1bcfa7c42e0c37515d138f22dd2ecb803a0c5c99676314baf4bb1b7fa3190b2edc0\
327797f241067be390c9e","0x10321da079ce07e272d8ec09d2565b0dfa7dccdde6787f96d50af36003b14866f69b771f8c285decca67df3f1605fb7b","0x6e08c248e260e70bd1e962381edee3d31\
d79d7e22c837bc23c0bf1bc24c6b68c24b1b80b64d391fa9c8ba2e8ba2d229"],["0x8ca8d548cff19ae18b2e62f4bd3fa6f01d5ef4ba35b48ba9c9588617fc8ac62b558d681be343df8993cf9fa40d2\
1b1c","0x12561a5deb559c4348b4711298e536367041e8ca0cf0800c0126c2588c48bf5713daa8846cb026e9e5c8276ec82b3bff","0xb2962fe57a3225e8137e629bff2991f6f89416f5a718cd1fca\
64e00b11aceacd6a3d0967c94fedcfcc239ba5cb83e19","0x3425581a58ae2fec83aafef7c40eb545b08243f16b1655154cca8abc28d6fd04976d5243eecf5c4130de8938dc62cd8","0x13a8e16202\
2914a80a6f1d5f43e7a07dffdfc759a12062bb8d6b44e833b306da9bd29ba81f35781d539d395b3532a21e","0xe7355f8e4e667b955390f7f0506c6e9395735e9ce9cad4d0a43bcef24b8982f7400d2\
4bc4228f11c02df9a29f6304a5","0x772caacf16936190f3e0c63e0596721570f5799af53a1894e2e073062aede9cea73b3538f0de06cec2574496ee84a3a","0x14a7ac2a9d64a8b230b3f5b074cf0\
1996e7f63c21bca68a81996e1cdf9822c580fa5b9489d11e2d311f7d99bbdcc5a5e","0xa10ecf6ada54f825e920b3dafc7a3cce07f8d1d7161366b74100da67f39883503826692abba43704776ec3a7\
9a1d641","0x95fc13ab9e92ad4476d6e3eb3a56680f682b4ee96f7d03776df533978f31c1593174e4b4b7865002d6384d168ecdd0a","0x000000000000000000000000000000000000000000000000\
000000000000000000000000000000000000000000000001"],["0x90d97c81ba24ee0259d1f094980dcfa11ad138e48a869522b52af6c956543d3cd0c7aee9b3ba3c2be9845719707bb33","0x13499\
6a104ee5811d51036d776fb46831223e96c254f383d0f906343eb67ad34d6c56711962fa8bfe097e75a2e41c696","0xcc786baa966e66f4a384c86a3b49942552e2d658a31ce2c344be4b91400da7d2\
6d521628b00523b8dfe240c72de1f6","0x1f86376e8981c217898751ad8746757d42aa7b90eeb791c09e4a3ec03251cf9de405aba9ec61deca6355c77b0e5f4cb","0x8cc03fdefe0ff135caf4fe2a2\
1529c4195536fbe3ce50b879833fd221351adc2ee7f8dc099040a841b6daecf2e8fedb","0x16603fca40634b6a2211e11db8f0a6a074a7d0d4afadb7bd76505c3d3ad5544e203f6326c95a807299b23\
ab13633a5f0","0x4ab0b9bcfac1bbcb2c977d027796b3ce75bb8ca2be184cb5231413c4d634f3747a87ac2460f415ec961f8855fe9d6f2","0x987c8d5333ab86fde9926bd2ca6c674170a05bfe3bdd\
81ffd038da6c26c842642f64550fedfe935a15e4ca31870fb29","0x9fc4018bd96684be88c9e221e4da1bb8f3abd16679dc26c1e8b6e6a1f20cabe69d65201c78607a360370e577bdba587","0xe1bb\
a7a1186bdb5223abde7ada14a23c42a0ca7915af6fe06985e7ed1e4d43b9b3f7055dd4eba6f2bafaaebca731c30","0x19713e47937cd1be0dfd0b8f1d43fb93cd2fcbcb6caf493fd1183e416389e610\
31bf3a5cce3fbafce813711ad011c132","0x18b46a908f36f6deb918c143fed2edcc523559b8aaf0c2462e6bfe7f911f643249d9cdf41b44d606ce07c8a4d0074d8e","0xb182cac101b9399d155096\
004f53f447aa7b12a3426b08ec02710e807b4633f06c851c1919211f20d4c04f00b971ef8","0x245a394ad1eca9b72fc00ae7be315dc757b3b080d4c158013e6632d3c40659cc6cf90ad1c232a6442d\
9d3f5db980133","0x5c129645e44cf1102a159f748c4a3fc5e673d81d7e86568d9ab0f5d396a7ce46ba1049b6579afb7866b1e715475224b","0x15e6be4e990f03ce4ea50b3b42df2eb5cb181d8f84\
965a3957add4fa95af01b2b665027efec01c7704b456be69c8b604"],["0x16112c4c3a9c98b252181140fad0eae9601a6de578980be6eec3232b5be72e7a07f3688ef60c206d01479253b03663c1","\
0x1962d75c2381201e1a0cbd6c43c348b885c84ff731c4d59ca4a10356f453e01f78a4260763529e3532f6102c2e49a03d","0x58df3306640da276faaae7d6e8eb15778c4855551ae7f310c35a5dd27\
9cd2eca6757cd636f96f891e2538b53dbf67f2","0x16b7d288798e5395f20d23bf89edb4d1d115c5dbddbcd30e123da489e726af41727364f2c28297ada8d26d98445f5416","0xbe0e079545f43e4b\
00cc912f8228ddcc6d19c9f0f69bbb0542eda0fc9dec916a20b15dc0fd2ededda39142311a5001d","0x8d9e5297186db2d9fb266eaac783182b70152c65550d881c5ecd87b6f0f5a6449f38db9dfa9c\
ce202c6477faaf9b7ac","0x166007c08a99db2fc3ba8734ace9824b5eecfdfa8d0cf8ef5dd365bc400a0051d5fa9c01a58b1fb93d1a1399126a775c","0x16a3ef08be3ea7ea03bcddfabba6ff6ee5a\
4375efa1f4fd7feb34fd206357132b920f5b00801dee460ee415a15812ed9","0x1866c8ed336c61231a1be54fd1d74cc4f9fb0ce4c6af5920abc5750c4bf39b4852cfe2f7bb9248836b233d9d55535d\
4a","0x167a55cda70a6e1cea820597d94a84903216f763e13d87bb5308592e7ea7d4fbc7385ea3d529b35e346ef48bb8913f55","0x4d2f259eea405bd48f010a01ad2911d9c6dd039bb61a6290e591\
b36e636a5c871a5c29f4f83060400f8b49cba8f6aa8","0xaccbb67481d033ff5852c1e48c50c477f94ff8aefce42d28c0f9a88cea7913516f968986f7ebbea9684b529e2561092","0xad6b9514c767\
fe3c3613144b45f1496543346d98adf02267d5ceef9a00d9b8693000763e3b90ac11e99b138573345cc","0x2660400eb2e4f3b628bdd0d53cd76f2bf565b94e72927c1cb748df27942480e420517bd8\
714cc80d1fadc1326ed06f7","0xe0fa1d816ddc03e6b24255e0d7819c171c40f65e273b853324efcd6356caa205ca2f570f13497804415473a1d634b8f","0x00000000000000000000000000000000\
0000000000000000000000000000000000000000000000000000000000000001"]].map(i=>i.map(j=>BigInt(j)))),G1_SWU,G2_SWU,getG1_SWU=()=>G1_SWU||(G1_SWU=mapToCurveSimpleSWU(
Fp,{A:Fp.create(BigInt("0x144698a3b8e9433d693a02c96d4982b0ea985383ee66a8d8e8981aefd881ac98936f8da0e0f97f5cf428082d584c1d")),B:Fp.create(BigInt("0x12e2908d116880\
30018b12e8753eee3b2016c1f0f24f4070a0b9c14fcef35ef55a23215a316ceaa5d1cc48e98e172be0")),Z:Fp.create(BigInt(11))})),getG2_SWU=()=>G2_SWU||(G2_SWU=mapToCurveSimpleSWU(
Fp2,{A:Fp2.create({c0:Fp.create(_0n9),c1:Fp.create(BigInt(240))}),B:Fp2.create({c0:Fp.create(BigInt(1012)),c1:Fp.create(BigInt(1012))}),Z:Fp2.create({c0:Fp.create(
BigInt(-2)),c1:Fp.create(BigInt(-1))})}));function mapToG1(scalars){let{x,y}=getG1_SWU()(Fp.create(scalars[0]));return isogenyMapG1(x,y)}function mapToG2(scalars){
let{x,y}=getG2_SWU()(Fp2.fromBigTuple(scalars));return isogenyMapG2(x,y)}var secp256k1_CURVE={p:BigInt("0xfffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f"),n:BigInt("0xfffffffffffffffffffffffffffffffebaaedce6af48a03b\
bfd25e8cd0364141"),h:BigInt(1),a:BigInt(0),b:BigInt(7),Gx:BigInt("0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"),Gy:BigInt("0x483ada7726a3\
c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8")},secp256k1_ENDO={beta:BigInt("0x7ae96a2b657c07106e64479eac3434e99cf0497512f58995c1396c28719501ee"),basises:[
[BigInt("0x3086d221a7d46bcde86c90e49284eb15"),-BigInt("0xe4437ed6010e88286f547fa90abfe4c3")],[BigInt("0x114ca50f7a8e2f3f657c1108d9d44cfd8"),BigInt("0x3086d221a7\
d46bcde86c90e49284eb15")]]};var _2n7=BigInt(2);function sqrtMod(y){let P=secp256k1_CURVE.p,_3n7=BigInt(3),_6n2=BigInt(6),_11n=BigInt(11),_22n=BigInt(22),_23n=BigInt(23),_44n=BigInt(44),_88n=BigInt(
88),b2=y*y*y%P,b3=b2*b2*y%P,b6=pow2(b3,_3n7,P)*b3%P,b9=pow2(b6,_3n7,P)*b3%P,b11=pow2(b9,_2n7,P)*b2%P,b22=pow2(b11,_11n,P)*b11%P,b44=pow2(b22,_22n,P)*b22%P,b88=pow2(
b44,_44n,P)*b44%P,b176=pow2(b88,_88n,P)*b88%P,b220=pow2(b176,_44n,P)*b44%P,b223=pow2(b220,_3n7,P)*b3%P,t1=pow2(b223,_23n,P)*b22%P,t2=pow2(t1,_6n2,P)*b2%P,root=pow2(
t2,_2n7,P);if(!Fpk1.eql(Fpk1.sqr(root),y))throw new Error("Cannot find square root");return root}var Fpk1=Field(secp256k1_CURVE.p,{sqrt:sqrtMod}),Pointk1=weierstrass(
secp256k1_CURVE,{Fp:Fpk1,endo:secp256k1_ENDO}),secp256k1=ecdsa(Pointk1,sha256);export{split,anumber,abool,abytes,aexists,aoutput,u32,clean,rotl,swap32IfBE,bytesToHex,hexToBytes,utf8ToBytes,concatBytes,createHasher,HashMD,sha256,aarray,numberToBytesBE,
asciiToBytes,bitLen,bitMask,validateObject,validateField,Field,normalizeZ,interleavedMSMUnsafe,weierstrass,ecdsa,secp256k1,blsBasic,psiFrobenius,tower12,bls12_381};
/*! For license information please see chunk-MZCHLBCZ.js.LEGAL.txt */
