import { createRequire as requireFrom_ } from 'node:module'; const require = requireFrom_(import.meta.url);
import{Field,aarray,asciiToBytes,bitLen,bitMask,bls12_381,bytesToHex,concatBytes,hexToBytes,interleavedMSMUnsafe,normalizeZ,numberToBytesBE,sha256,validateField,
validateObject}from"./chunk-MZCHLBCZ.js";import"./chunk-2KDKDX5F.js";function checkU32(n,title="n"){if(typeof n!="number")throw new TypeError(`wrong u32 integer "${title}": expected number, got type=${typeof n}`);if(!Number.isSafeInteger(
n)||n<0||n>4294967295)throw new RangeError(`wrong u32 integer "${title}": expected 0..4294967295, got ${n}`);return n}function isPowerOfTwo(x){return checkU32(x,
"x"),(x&x-1)===0&&x!==0}function nextPowerOfTwo(n){if(checkU32(n),n<=1)return 1;if(n>2147483648)throw new Error("nextPowerOfTwo overflow: result does not fit u3\
2");return 1<<log2(n-1)+1>>>0}function reverseBits(n,bits){if(checkU32(n),typeof bits!="number")throw new TypeError('"bits" expected number, got type='+typeof bits);
if(!Number.isSafeInteger(bits)||bits<0||bits>32)throw new Error(`expected integer 0 <= bits <= 32, got ${bits}`);let reversed=0;for(let i=0;i<bits;i++,n>>>=1)reversed=
reversed<<1|n&1;return reversed>>>0}function log2(n){return checkU32(n),31-Math.clz32(n)}function bitReversalInplace(values){if(!values||typeof values!="object"||
typeof values.length!="number")throw new TypeError('"values" expected array-like, got type='+typeof values);let n=values.length;if(!isPowerOfTwo(n))throw new Error(
"expected positive power-of-two length, got "+n);let bits=log2(n);for(let i=0;i<n;i++){let j=reverseBits(i,bits);if(i<j){let tmp=values[i];values[i]=values[j],values[j]=
tmp}}return values}function bitReversalPermutation(values){return aarray(values,"values"),bitReversalInplace(values.slice())}var _1n=BigInt(1);function findGenerator(field){
let G=BigInt(2);for(;field.eql(field.pow(G,field.ORDER>>_1n),field.ONE);G++);return G}function rootsOfUnity(field,generator){if(validateField(field),generator!==
void 0&&typeof generator!="bigint")throw new TypeError('"generator" expected bigint, got type='+typeof generator);let oddFactor=field.ORDER-_1n,powerOfTwo=0;for(;(oddFactor&
_1n)!==_1n;powerOfTwo++,oddFactor>>=_1n);let G=generator!==void 0?BigInt(generator):findGenerator(field),omegas=new Array(powerOfTwo+1);omegas[powerOfTwo]=field.
pow(G,oddFactor);for(let i=powerOfTwo;i>0;i--)omegas[i-1]=field.sqr(omegas[i]);let rootsCache=[],checkBits=bits=>{if(checkU32(bits,"bits"),bits>31||bits>powerOfTwo)
throw new Error("rootsOfUnity: wrong bits "+bits+" powerOfTwo="+powerOfTwo);return bits},precomputeRoots=maxPower=>{checkBits(maxPower);for(let power=maxPower;power>=
0;power--){if(rootsCache[power])continue;let above=rootsCache[power+1],rootsAtPower=[];if(above)for(let j=0;j<2**power;j++)rootsAtPower.push(above[2*j]);else for(let j=0,
cur=field.ONE;j<2**power;j++,cur=field.mul(cur,omegas[power]))rootsAtPower.push(cur);rootsCache[power]=rootsAtPower}return rootsCache[maxPower]},brpCache=new Map,
inverseCache=new Map;return{info:{G,powerOfTwo,oddFactor},roots:bits=>{let b=checkBits(bits);return precomputeRoots(b)},brp(bits){let b=checkBits(bits);if(brpCache.
has(b))return brpCache.get(b);{let res=bitReversalPermutation(this.roots(b));return brpCache.set(b,res),res}},inverse(bits){let b=checkBits(bits);if(inverseCache.
has(b))return inverseCache.get(b);{let r=this.roots(b),res=[r[0]].concat(r.slice(1).reverse());return inverseCache.set(b,res),res}},omega:bits=>omegas[checkBits(
bits)],clear:()=>{rootsCache.splice(0,rootsCache.length),brpCache.clear(),inverseCache.clear()}}}var FFTCore=(F,coreOpts)=>{validateObject(coreOpts,{N:"number",
roots:"object",dit:"boolean"},{invertButterflies:"boolean",skipStages:"number",brp:"boolean"},"coreOpts");let{N,roots,dit,invertButterflies=!1,skipStages=0,brp=!0}=coreOpts;
checkU32(N,"coreOpts.N");let bits=log2(N);if(!isPowerOfTwo(N))throw new Error("FFT: Polynomial size should be power of two");checkU32(skipStages,"coreOpts.skipS\
tages");let maxSkipStages=bits===0?0:bits-1;if(skipStages>maxSkipStages)throw new Error(`FFT: wrong skipStages: expected 0 <= skipStages <= ${maxSkipStages}`);if(roots.
length!==N)throw new Error(`FFT: wrong roots length: expected ${N}, got ${roots.length}`);let isDit=dit!==invertButterflies;return values=>{if(values.length!==N)
throw new Error("FFT: wrong Polynomial length");dit&&brp&&bitReversalInplace(values);for(let i=0,g=1;i<bits-skipStages;i++){let s=dit?i+1+skipStages:bits-i,m=1<<
s,m2=m>>1,stride=N>>s;for(let k=0;k<N;k+=m)for(let j=0,grp=g++;j<m2;j++){let rootPos=invertButterflies?dit?N-grp:grp:j*stride,i0=k+j,i1=k+j+m2,omega=roots[rootPos],
b=values[i1],a=values[i0];if(isDit){let t=F.mul(b,omega);values[i0]=F.add(a,t),values[i1]=F.sub(a,t)}else invertButterflies?(values[i0]=F.add(b,a),values[i1]=F.
mul(F.sub(b,a),omega)):(values[i0]=F.add(a,b),values[i1]=F.mul(F.sub(a,b),omega))}}return!dit&&brp&&bitReversalInplace(values),values}};function FFT(roots,opts){
let loops=new Map,getLoop=(N,rootsTable,key)=>{let cached=loops.get(key);if(cached)return cached;let brpInput=!!(key&2),brpOutput=!!(key&1),loop;if(brpInput&&brpOutput){
let core=FFTCore(opts,{N,roots:rootsTable,dit:!1,brp:!1});loop=values=>core(bitReversalInplace(values))}else brpInput?loop=FFTCore(opts,{N,roots:rootsTable,dit:!0,
brp:!1}):brpOutput?loop=FFTCore(opts,{N,roots:rootsTable,dit:!1,brp:!1}):loop=FFTCore(opts,{N,roots:rootsTable,dit:!0,brp:!0});return loops.set(key,loop),loop},
loopKey=(bits,isInverse,brpInput,brpOutput)=>bits<<3|(isInverse?4:0)|(brpInput?2:0)|(brpOutput?1:0);return{direct(values,brpInput=!1,brpOutput=!1){let N=values.
length;if(!isPowerOfTwo(N))throw new Error("FFT: Polynomial size should be power of two");let bits=log2(N),key=loopKey(bits,!1,brpInput,brpOutput);return getLoop(
N,roots.roots(bits),key)(values.slice())},inverse(values,brpInput=!1,brpOutput=!1){let N=values.length;if(!isPowerOfTwo(N))throw new Error("FFT: Polynomial size\
 should be power of two");let bits=log2(N),key=loopKey(bits,!0,brpInput,brpOutput),res=getLoop(N,roots.inverse(bits),key)(values.slice()),ivm=opts.inv(BigInt(values.
length));for(let i=0;i<res.length;i++)res[i]=opts.mul(res[i],ivm);return res}}}function poly(field,roots,create,fft,length){validateField(field);let F=field,_create=create||
((len,elm)=>new Array(len).fill(elm??F.ZERO)),isPoly=x=>{if(Array.isArray(x))return!0;if(!ArrayBuffer.isView(x))return!1;let v=x;return typeof v.length=="number"&&
typeof v.slice=="function"&&typeof v[Symbol.iterator]=="function"},checkPoly=(title,value)=>{if(!isPoly(value))throw new TypeError(`"${title}" expected polynomi\
al, got type=${typeof value}`)},checkLength=(a,b)=>{checkPoly("a",a);let L=a.length;if(b!==void 0&&(checkPoly("b",b),b.length!==L))throw new Error(`poly: mismat\
ched lengths ${L} vs ${b.length}`);if(length!==void 0&&L!==length)throw new Error(`poly: expected fixed length ${length}, got ${L}`);return L};function findOmegaIndex(x,n,brp=!1,weights){
if(!isPowerOfTwo(n))throw new Error("poly.lagrange: expected power of two length, got "+n);let omega=weights||(brp?roots.brp(log2(n)):roots.roots(log2(n)));for(let i=0;i<
n;i++)if(F.eql(x,omega[i]))return i;return-1}return{roots,create:_create,length,extend:(a,len)=>{checkLength(a);let out=_create(len,F.ZERO);for(let i=0;i<Math.min(
a.length,len);i++)out[i]=a[i];return out},degree:a=>{checkLength(a);for(let i=a.length-1;i>=0;i--)if(!F.is0(a[i]))return i;return-1},add:(a,b)=>{let len=checkLength(
a,b),out=_create(len);for(let i=0;i<len;i++)out[i]=F.add(a[i],b[i]);return out},sub:(a,b)=>{let len=checkLength(a,b),out=_create(len);for(let i=0;i<len;i++)out[i]=
F.sub(a[i],b[i]);return out},dot:(a,b)=>{let len=checkLength(a,b),out=_create(len);for(let i=0;i<len;i++)out[i]=F.mul(a[i],b[i]);return out},mul:(a,b)=>{if(isPoly(
b)){let len=checkLength(a,b);if(fft){let A=fft.direct(a,!1,!0),B=fft.direct(b,!1,!0);for(let i=0;i<A.length;i++)A[i]=F.mul(A[i],B[i]);return fft.inverse(A,!0,!1)}else{
let res=_create(len);for(let i=0;i<len;i++)for(let j=0;j<len;j++){let k=(i+j)%len;res[k]=F.add(res[k],F.mul(a[i],b[j]))}return res}}else{let out=_create(checkLength(
a));for(let i=0;i<out.length;i++)out[i]=F.mul(a[i],b);return out}},convolve(a,b){checkPoly("a",a),checkPoly("b",b);let len=nextPowerOfTwo(a.length+b.length-1);return this.
mul(this.extend(a,len),this.extend(b,len))},shift(p,factor){checkPoly("p",p);let out=_create(p.length);if(length!==void 0&&p.length!==length)throw new Error(`po\
ly: expected fixed length ${length}, got ${p.length}`);if(!p.length)return out;out[0]=p[0];for(let i=1,power=F.ONE;i<p.length;i++)power=F.mul(power,factor),out[i]=
F.mul(p[i],power);return out},clone:a=>{checkLength(a);let out=_create(a.length);for(let i=0;i<a.length;i++)out[i]=a[i];return out},eval:(a,basis)=>{checkLength(
a,basis);let acc=F.ZERO;for(let i=0;i<a.length;i++)acc=F.add(acc,F.mul(a[i],basis[i]));return acc},monomial:{basis:(x,n)=>{let out=_create(n),pow=F.ONE;for(let i=0;i<
n;i++)out[i]=pow,pow=F.mul(pow,x);return out},eval:(a,x)=>{checkLength(a);let acc=F.ZERO;for(let i=a.length-1;i>=0;i--)acc=F.add(F.mul(acc,x),a[i]);return acc}},
lagrange:{basis:(x,n,brp=!1,weights)=>{if(!isPowerOfTwo(n))throw new Error("poly.lagrange: expected power of two length, got "+n);let bits=log2(n),cache=weights||
(brp?roots.brp(bits):roots.roots(bits)),out=_create(n),idx=findOmegaIndex(x,n,brp,weights);if(idx!==-1)return out[idx]=F.ONE,out;let tm=F.pow(x,BigInt(n)),c=F.mul(
F.sub(tm,F.ONE),F.inv(BigInt(n))),denom=_create(n);for(let i=0;i<n;i++)denom[i]=F.sub(x,cache[i]);let inv=F.invertBatch(denom);for(let i=0;i<n;i++)out[i]=F.mul(
c,F.mul(cache[i],inv[i]));return out},eval(a,x,brp=!1){checkLength(a);let idx=findOmegaIndex(x,a.length,brp);if(idx!==-1)return a[idx];let L=this.basis(x,a.length,
brp),acc=F.ZERO;for(let i=0;i<a.length;i++)F.is0(a[i])||(acc=F.add(acc,F.mul(a[i],L[i])));return acc}},vanishing(roots2){if(checkPoly("roots",roots2),length!==void 0&&
roots2.length!==length)throw new Error(`poly: expected fixed length ${length}, got ${roots2.length}`);let out=_create(roots2.length+1,F.ZERO);out[0]=F.ONE;for(let r of roots2){
let neg=F.neg(r);for(let j=out.length-1;j>0;j--)out[j]=F.add(F.mul(out[j],neg),out[j-1]);out[0]=F.mul(out[0],neg)}return out}}}function astring(value,title=""){if(typeof value!="string"){let prefix=title&&`"${title}" `;throw new TypeError(prefix+"expected string, got type="+typeof value)}
return value}var ethHexStartRe=/^0[xX]/;function add0x(hex,title="hex"){return astring(hex,title),ethHexStartRe.test(hex)?hex:`0x${hex}`}function strip0x(hex,title="hex"){return astring(
hex,title),hex.replace(ethHexStartRe,"")}function hexToNumber(hex){if(typeof hex!="string")throw new TypeError("expected hex string, got "+typeof hex);return BigInt(hex?add0x(hex):0)}var MAX_DECIMAL_PRECISION=255;var decimalCoders=new Array(MAX_DECIMAL_PRECISION+1);var{Fr:blsFr,Fp,Fp12}=bls12_381.fields,_0n=BigInt(0),_1n2=BigInt(1),_2n=BigInt(2),_3n=BigInt(3),_7n=BigInt(7),_128n=BigInt(128),_m1n=BigInt(-1),Fr=Field(blsFr.ORDER,
{isLE:blsFr.isLE}),G1=bls12_381.G1.Point,G2=bls12_381.G2.Point,BLOB_REGEX=/.{1,64}/g,BLS_X=-BigInt("0xd201000000010000"),BLS_X_SQUARED=BLS_X*BLS_X,G1_ENDO_LAMBDA=BigInt(
"0xac45a4010001a40200000000ffffffff"),G1_ENDO_BETA=BigInt("0x1a0111ea397fe699ec02408663d4de85aa0d857d89759ad4897d29650fb85f9b409427eb4f49fffd8bfd00000000aaac"),
G1_ENDO_BASIS=[[G1_ENDO_LAMBDA,_m1n],[_1n2,BLS_X_SQUARED]],G1_ENDO_SPLIT_BITS=128,G1_ENDO_SPLIT_LAST_BITS=G1_ENDO_SPLIT_BITS-1,G1_ENDO_SPLIT_MAX=_1n2<<_128n,G1_ENDO_MUL_WINDOW=4,
G1ctor=G1,g1CtorChecked=!1;function parseScalar(s){if(typeof s=="string"){if(s=strip0x(s),s.length!==2*Fr.BYTES)throw new Error("parseScalar: wrong format");s=BigInt(
`0x${s}`)}if(!Fr.isValid(s))throw new Error("parseScalar: invalid field element");return s}function formatScalar(n){return add0x(bytesToHex(Fr.toBytes(n)))}var divNearest=(num,den)=>(num+
(num>=_0n?den:-den)/_2n)/den;function splitScalarG1(k){if(!Fr.isValid(k))throw new RangeError("splitScalarG1: invalid scalar");let[[a1,b1],[a2,b2]]=G1_ENDO_BASIS,
c1=divNearest(b2*k,Fr.ORDER),c2=divNearest(-b1*k,Fr.ORDER),k1=k-c1*a1-c2*a2,k2=-c1*b1-c2*b2,k1neg=k1<_0n,k2neg=k2<_0n;if(k1neg&&(k1=-k1),k2neg&&(k2=-k2),k1>=G1_ENDO_SPLIT_MAX||
k2>=G1_ENDO_SPLIT_MAX)throw new Error("splitScalarG1: invariant failed");return{k1neg,k1,k2neg,k2}}function endoG1Affine(p){return{x:Fp.mul(p.x,G1_ENDO_BETA),y:p.
y}}function endoG1Projective(p){return new G1ctor(Fp.mul(p.X,G1_ENDO_BETA),p.Y,p.Z)}function assertG1Ctor(){if(g1CtorChecked)return;let p=G1.BASE;if(!new G1ctor(
p.X,p.Y,p.Z).equals(p))throw new Error("KZG: G1 projective constructor changed");if(!endoG1Projective(p).equals(p.multiplyUnsafe(G1_ENDO_LAMBDA)))throw new Error(
"KZG: G1 endomorphism constructor check failed");g1CtorChecked=!0}function mulGLV(p,k){if(!Fr.isValid(k))throw new RangeError("mulGLV: invalid scalar");if(k===_0n||
p.is0())return G1.ZERO;if(k===_1n2)return p;assertG1Ctor();let{k1neg,k1,k2neg,k2}=splitScalarG1(k),points=[],scalars=[];if(k1!==_0n&&(points.push(k1neg?p.negate():
p),scalars.push(k1)),k2!==_0n){let phi=endoG1Projective(p);points.push(k2neg?phi.negate():phi),scalars.push(k2)}return points.length===0?G1.ZERO:points.length===
1?points[0].multiplyUnsafe(scalars[0]):interleavedMSMUnsafe(G1,points,G1_ENDO_MUL_WINDOW)(scalars)}function pippengerWindowSize(plength){let wbits=bitLen(BigInt(
plength)),windowSize=1;return wbits>12?windowSize=wbits-3:wbits>4?windowSize=wbits-2:wbits>0&&(windowSize=2),windowSize}function pippengerAffineBucketAccumG1(buckets,bucketHeads,bucketTails,activeBuckets,activeLen,nextOps,pendingPoints){
let batchBuckets=[],batchX1=[],batchY1=[],batchX2=[],batchNums=[],batchDens=[];for(;activeLen>0;){let nextActiveLen=0;batchBuckets.length=0,batchX1.length=0,batchY1.
length=0,batchX2.length=0,batchNums.length=0,batchDens.length=0;for(let i=0;i<activeLen;i++){let bucketIndex=activeBuckets[i],opIndex=bucketHeads[bucketIndex],nextOp=nextOps[opIndex];
bucketHeads[bucketIndex]=nextOp,nextOp===-1?bucketTails[bucketIndex]=-1:activeBuckets[nextActiveLen++]=bucketIndex;let point=pendingPoints[opIndex],bucket=buckets[bucketIndex];
if(bucket===void 0){buckets[bucketIndex]=point;continue}let{x:x1,y:y1}=bucket,{x:x2,y:y2}=point,num,den;if(!Fp.eql(x1,x2))num=Fp.sub(y2,y1),den=Fp.sub(x2,x1);else if(Fp.
eql(y1,y2)){if(Fp.is0(y1)){buckets[bucketIndex]=void 0;continue}num=Fp.mul(Fp.sqr(x1),_3n),den=Fp.mul(y1,_2n)}else{buckets[bucketIndex]=void 0;continue}batchBuckets.
push(bucketIndex),batchX1.push(x1),batchY1.push(y1),batchX2.push(x2),batchNums.push(num),batchDens.push(den)}if(activeLen=nextActiveLen,batchDens.length===0)continue;
let invertedDens=Fp.invertBatch(batchDens);for(let i=0;i<invertedDens.length;i++){let invertedDen=invertedDens[i];if(Fp.is0(invertedDen))throw new Error("pippen\
ger: zero affine denominator");let x1=batchX1[i],y1=batchY1[i],x2=batchX2[i],lambda=Fp.mul(batchNums[i],invertedDen),x3=Fp.sub(Fp.sub(Fp.sqr(lambda),x1),x2),y3=Fp.
sub(Fp.mul(lambda,Fp.sub(x1,x3)),y1);buckets[batchBuckets[i]]={x:x3,y:y3}}}}function pippengerBatchAffineG1(points,scalars){if(points.length!==scalars.length)throw new Error(
"arrays of points and scalars must have equal length");let activePoints=[],activeScalars=[];for(let i=0;i<points.length;i++)Fr.is0(scalars[i])||points[i].is0()||
(activePoints.push(points[i]),activeScalars.push(scalars[i]));if(activePoints.length===0)return G1.ZERO;let affinePoints=normalizeZ(G1,activePoints).map(p=>p.toAffine()),
splitPoints=[],splitScalars=[];for(let i=0;i<affinePoints.length;i++){let p=affinePoints[i],{k1neg,k1,k2neg,k2}=splitScalarG1(activeScalars[i]);if(k1!==_0n&&(splitPoints.
push(k1neg?{x:p.x,y:Fp.neg(p.y)}:p),splitScalars.push(k1)),k2!==_0n){let phi=endoG1Affine(p);splitPoints.push(k2neg?{x:phi.x,y:Fp.neg(phi.y)}:phi),splitScalars.
push(k2)}}if(splitPoints.length===0)return G1.ZERO;let windowSize=pippengerWindowSize(activePoints.length),MASK=bitMask(windowSize),bucketCount=Number(MASK)+1,buckets=new Array(
bucketCount),bucketHeads=new Int32Array(bucketCount),bucketTails=new Int32Array(bucketCount),activeBuckets=new Int32Array(bucketCount),nextOps=new Int32Array(splitPoints.
length),pendingPoints=new Array(splitPoints.length),lastBits=Math.floor(G1_ENDO_SPLIT_LAST_BITS/windowSize)*windowSize,sum=G1.ZERO;for(let i=lastBits;i>=0;i-=windowSize){
buckets.fill(void 0),bucketHeads.fill(-1),bucketTails.fill(-1);let activeLen=0,pendingLen=0;for(let j=0;j<splitPoints.length;j++){let wbits=Number(splitScalars[j]>>
BigInt(i)&MASK);if(wbits===0)continue;let opIndex=pendingLen++;pendingPoints[opIndex]=splitPoints[j],nextOps[opIndex]=-1,bucketHeads[wbits]===-1?(bucketHeads[wbits]=
opIndex,activeBuckets[activeLen++]=wbits):nextOps[bucketTails[wbits]]=opIndex,bucketTails[wbits]=opIndex}pendingLen!==0&&pippengerAffineBucketAccumG1(buckets,bucketHeads,
bucketTails,activeBuckets,activeLen,nextOps,pendingPoints);let resI=G1.ZERO;for(let j=buckets.length-1,sumI=G1.ZERO;j>0;j--){let bucket=buckets[j];bucket!==void 0&&
(sumI=sumI.add(G1.fromAffine(bucket))),resI=resI.add(sumI)}if(sum=sum.add(resI),i!==0)for(let j=0;j<windowSize;j++)sum=sum.double()}return sum}function pairingVerify(a1,a2,b1,b2){
let pairs=[{g1:a1.negate(),g2:a2},{g1:b1,g2:b2}].filter(({g1,g2})=>!G1.ZERO.equals(g1)&&!G2.ZERO.equals(g2)),f=bls12_381.pairingBatch(pairs,!0);return Fp12.eql(
f,Fp12.ONE)}function chunks(arr,len){if(len<=0)throw new Error("chunks: chunkSize must be > 0");let res=[];for(let i=0;i<arr.length;i+=len)res.push(arr.slice(i,
i+len));return res}function chunkBytes(u8a,len){if(len<=0)throw new Error("chunkBytes: chunk size must be > 0");let res=[];for(let i=0;i<u8a.length;i+=len)res.push(
u8a.subarray(i,i+len));return res}function strideExtend(src,stride,outLen){let dst=new Array(outLen).fill(Fr.ZERO);for(let i=0,pos=0;i<src.length&&pos<outLen;i++,
pos+=stride)dst[pos]=src[i];return dst}var FE_PER_EXT_BLOB=8192,FE_PER_BLOB=4096,FE_PER_CELL=64,CELLS_PER_BLOB=FE_PER_BLOB/FE_PER_CELL,CELLS_PER_EXT_BLOB=FE_PER_EXT_BLOB/
FE_PER_CELL,BYTES_PER_CELL=2048,CIRCULANT_DOMAIN_SIZE=CELLS_PER_BLOB*2,FK20_MSM_WINDOW=5,FK20_STRIDE=FE_PER_EXT_BLOB/CIRCULANT_DOMAIN_SIZE,CELL_INDICES_RBL=bitReversalPermutation(
Array.from({length:128},(_,j)=>j)),Cell={encode(fields){if(fields.length!==FE_PER_CELL)throw new Error(`Cell.encode: Expected ${FE_PER_CELL} field elements`);let bytes=fields.
map(i=>{if(!Fr.isValid(i))throw new Error("Cell.encode: invalid field element");return Fr.toBytes(i)});return add0x(bytesToHex(concatBytes(...bytes)))},decodeBytes(bytes){
if(bytes.length!==BYTES_PER_CELL)throw new Error(`Cell.decode: Expected ${BYTES_PER_CELL} bytes after decoding hex`);return chunkBytes(bytes,Fr.BYTES).map(n=>Fr.
fromBytes(n))},decode(hex){return Cell.decodeBytes(hexToBytes(strip0x(hex)))}},KZG=class{POLY_NUM;G1LB;G2M;G1M;ROOTS_OF_UNITY_BRP;ROOTS_CACHE;fftFr;fftG1;polyFr;FIAT_SHAMIR_PROTOCOL_DOMAIN=asciiToBytes(
"FSBLOBVERIFY_V1_");RANDOM_CHALLENGE_KZG_BATCH_DOMAIN=asciiToBytes("RCKZGBATCH___V1_");POLY_NUM_BYTES;fk20Columns;fk20Msm;constructor(setup){if(setup==null||typeof setup!=
"object")throw new Error("expected valid setup data");if(!Array.isArray(setup.g1_lagrange)||!Array.isArray(setup.g2_monomial))throw new Error("expected valid se\
tup data");let fastSetup=!1;if("encoding"in setup&&(fastSetup=setup.encoding==="fast_v1",!fastSetup))throw new Error("unknown encoding "+setup.encoding);let G1L=setup.
g1_lagrange.map(fastSetup?this.parseG1Unchecked:this.parseG1);if(this.POLY_NUM=G1L.length,this.POLY_NUM<2||(this.POLY_NUM&this.POLY_NUM-1)!==0)throw new Error("\
KZG: g1_lagrange length must be a power of two, got "+this.POLY_NUM);if(this.G2M=setup.g2_monomial.map(fastSetup?this.parseG2Unchecked:this.parseG2),this.G2M.length<
2)throw new Error("KZG: g2_monomial must have at least 2 points");this.G1LB=bitReversalPermutation(G1L),this.ROOTS_CACHE=rootsOfUnity(Fr,_7n),this.ROOTS_OF_UNITY_BRP=
this.ROOTS_CACHE.brp(log2(this.POLY_NUM)),this.fftFr=FFT(this.ROOTS_CACHE,Fr),this.fftG1=FFT(rootsOfUnity(Fr,_7n),{add:(a,b)=>a.add(b),sub:(a,b)=>a.subtract(b),
mul:mulGLV,inv:a=>Fr.inv(a)}),this.polyFr=poly(Fr,this.ROOTS_CACHE),this.POLY_NUM_BYTES=numberToBytesBE(this.POLY_NUM,8),setup.g1_monomial&&(this.G1M=setup.g1_monomial.
map(fastSetup?this.parseG1Unchecked:this.parseG1)),setup.fk20&&(this.fk20Columns=chunks(setup.fk20.map(fastSetup?this.parseG1Unchecked:this.parseG1),FE_PER_CELL))}parseG1(p){
return typeof p=="string"?p=G1.fromHex(strip0x(p)):p instanceof Uint8Array&&(p=G1.fromBytes(p)),p}parseG1Unchecked(p){if(typeof p!="string")throw new Error("str\
ing expected");let[x,y]=p.split(" ").map(hexToNumber);return G1.fromAffine({x,y})}parseG2(p){return G2.fromHex(strip0x(p))}parseG2Unchecked(p){let xy=strip0x(p).
split(" ").map(c=>c.split(",").map(c2=>BigInt("0x"+c2))),x=bls12_381.fields.Fp2.fromBigTuple(xy[0]),y=bls12_381.fields.Fp2.fromBigTuple(xy[1]);return G2.fromAffine(
{x,y})}parseBlob(blob){if(typeof blob=="string"){if(blob=strip0x(blob),blob.length!==this.POLY_NUM*Fr.BYTES*2)throw new Error("Wrong blob length");let m=blob.match(
BLOB_REGEX);if(!m)throw new Error("Wrong blob");blob=m}if(blob.length!==this.POLY_NUM)throw new Error("Wrong blob length");return blob.map(parseScalar)}invSafe(inverses){
inverses=Fr.invertBatch(inverses);for(let i of inverses)if(i===void 0)throw new Error("invSafe: division by zero");return inverses}G1msm(points,scalars){let _points=[],
_scalars=[];for(let i=0;i<scalars.length;i++){let s=scalars[i];Fr.is0(s)||(_points.push(points[i]),_scalars.push(s))}return _points.length===0?G1.ZERO:pippengerBatchAffineG1(
_points,_scalars)}computeChallenge(blob,commitment){let h=sha256.create().update(this.FIAT_SHAMIR_PROTOCOL_DOMAIN).update(numberToBytesBE(0,8)).update(this.POLY_NUM_BYTES);
for(let b of blob)h.update(Fr.toBytes(b));h.update(commitment.toBytes(!0));let res=Fr.create(Fr.fromBytes(h.digest(),!0));return h.destroy(),res}evalPoly(poly2,x){
return this.polyFr.lagrange.eval(poly2,x,!0)}computeProof(blob,z){z=parseScalar(z),blob=this.parseBlob(blob);let y=this.evalPoly(blob,z),batch=[],rootOfUnityPos,
poly2=new Array(this.POLY_NUM).fill(Fr.ZERO);for(let i=0;i<this.POLY_NUM;i++){if(Fr.eql(z,this.ROOTS_OF_UNITY_BRP[i])){rootOfUnityPos=i,batch.push(Fr.ONE);continue}
poly2[i]=Fr.sub(blob[i],y),batch.push(Fr.sub(this.ROOTS_OF_UNITY_BRP[i],z))}let inverses=this.invSafe(batch);for(let i=0;i<this.POLY_NUM;i++)poly2[i]=Fr.mul(poly2[i],
inverses[i]);if(rootOfUnityPos!==void 0){poly2[rootOfUnityPos]=Fr.ZERO;for(let i=0;i<this.POLY_NUM;i++)i!==rootOfUnityPos&&(batch[i]=Fr.mul(Fr.sub(z,this.ROOTS_OF_UNITY_BRP[i]),
z));let inverses2=this.invSafe(batch);for(let i=0;i<this.POLY_NUM;i++)i!==rootOfUnityPos&&(poly2[rootOfUnityPos]=Fr.add(poly2[rootOfUnityPos],Fr.mul(Fr.mul(Fr.sub(
blob[i],y),this.ROOTS_OF_UNITY_BRP[i]),inverses2[i])))}return[add0x(this.G1msm(this.G1LB,poly2).toHex(!0)),formatScalar(y)]}verifyProof(commitment,z,y,proof){try{
z=parseScalar(z),y=parseScalar(y);let g2x=Fr.is0(z)?G2.ZERO:G2.BASE.multiply(z),g1y=Fr.is0(y)?G1.ZERO:G1.BASE.multiply(y),XminusZ=this.G2M[1].subtract(g2x),PminusY=this.
parseG1(commitment).subtract(g1y);return pairingVerify(PminusY,G2.BASE,this.parseG1(proof),XminusZ)}catch{return!1}}getRPowers(r,n){let rPowers=[];if(n!==0){rPowers.
push(Fr.ONE);for(let i=1;i<n;i++)rPowers[i]=Fr.mul(rPowers[i-1],r)}return rPowers}verifyProofBatch(commitments,zs,ys,proofs){let n=commitments.length,p=proofs.map(
this.parseG1),h=sha256.create().update(this.RANDOM_CHALLENGE_KZG_BATCH_DOMAIN).update(this.POLY_NUM_BYTES).update(numberToBytesBE(n,8));for(let i=0;i<n;i++)h.update(
commitments[i].toBytes(!0)),h.update(Fr.toBytes(zs[i])),h.update(Fr.toBytes(ys[i])),h.update(p[i].toBytes(!0));let r=Fr.create(Fr.fromBytes(h.digest(),!0));h.destroy();
let rPowers=this.getRPowers(r,n),proofPowers=this.G1msm(p,rPowers),CminusY=commitments.map((c,i)=>c.subtract(Fr.is0(ys[i])?G1.ZERO:G1.BASE.multiply(ys[i]))),RtimesZ=rPowers.
map((p2,i)=>Fr.mul(p2,zs[i])),rhs=this.G1msm(p.concat(CminusY),RtimesZ.concat(rPowers));return pairingVerify(proofPowers,this.G2M[1],rhs,G2.BASE)}blobToKzgCommitment(blob){
return add0x(this.G1msm(this.G1LB,this.parseBlob(blob)).toHex(!0))}computeBlobProof(blob,commitment){blob=this.parseBlob(blob);let challenge=this.computeChallenge(
blob,this.parseG1(commitment)),[proof,_]=this.computeProof(blob,challenge);return proof}verifyBlobProof(blob,commitment,proof){try{blob=this.parseBlob(blob);let c=this.
parseG1(commitment),challenge=this.computeChallenge(blob,c),y=this.evalPoly(blob,challenge);return this.verifyProof(commitment,challenge,y,proof)}catch{return!1}}verifyBlobProofBatch(blobs,commitments,proofs){
if(!Array.isArray(blobs)||!Array.isArray(commitments)||!Array.isArray(proofs))throw new Error("invalid arguments");if(blobs.length!==commitments.length||blobs.length!==
proofs.length)return!1;if(blobs.length===1)return this.verifyBlobProof(blobs[0],commitments[0],proofs[0]);try{let b=blobs.map(i=>this.parseBlob(i)),c=commitments.
map(this.parseG1),challenges=b.map((b2,i)=>this.computeChallenge(b2,c[i])),ys=b.map((_,i)=>this.evalPoly(b[i],challenges[i]));return this.verifyProofBatch(c,challenges,
ys,proofs)}catch{return!1}}_Fk20Precomputes(){if(!this.G1M)throw new Error("PeerDAS requires full kzg setup (with G1 monomial)");if(this.fk20Columns)return this.
fk20Columns;let columns=Array.from({length:CIRCULANT_DOMAIN_SIZE},()=>new Array(FE_PER_CELL)),G1Mrev_chunks=chunks(Array.from(this.G1M).reverse(),FE_PER_CELL),xExt=new Array(
CIRCULANT_DOMAIN_SIZE).fill(G1.ZERO);for(let offset=0;offset<FE_PER_CELL;offset++){for(let i=0;i<CELLS_PER_BLOB-1;i++)xExt[i]=G1Mrev_chunks[i+1][offset];let res=this.
fftG1.direct(xExt);for(let row=0;row<CIRCULANT_DOMAIN_SIZE;row++)columns[row][offset]=res[row]}return this.fk20Columns=columns,columns}_Fk20Msm(){if(this.fk20Msm)
return this.fk20Msm;let precomputes=this._Fk20Precomputes();return this.fk20Msm=precomputes.map(row=>interleavedMSMUnsafe(G1,row,FK20_MSM_WINDOW)),this.fk20Msm}Fk20Proof(poly2){
let fk20Msm=this._Fk20Msm();if(poly2.length!==FE_PER_BLOB)throw new Error("Fk20Proof: wrong poly");let coeffs=Array.from({length:CIRCULANT_DOMAIN_SIZE},()=>new Array(
FE_PER_CELL).fill(Fr.ZERO));for(let i=0;i<FE_PER_CELL;i++){let toeplitz=new Array(CIRCULANT_DOMAIN_SIZE).fill(Fr.ZERO);toeplitz[0]=poly2[FE_PER_BLOB-1-i];for(let j=0;j<
CIRCULANT_DOMAIN_SIZE-CELLS_PER_BLOB-2;j++)toeplitz[CELLS_PER_BLOB+2+j]=poly2[2*FE_PER_CELL-i-1+j*FE_PER_CELL];let res=this.fftFr.direct(toeplitz);for(let j=0;j<
CIRCULANT_DOMAIN_SIZE;j++)coeffs[j][i]=res[j]}let hExtFFT=[];for(let i=0;i<CIRCULANT_DOMAIN_SIZE;i++)hExtFFT.push(fk20Msm[i](coeffs[i]));let h=this.fftG1.inverse(
hExtFFT);for(let i=CELLS_PER_BLOB;i<CIRCULANT_DOMAIN_SIZE;i++)h[i]=G1.ZERO;return this.fftG1.direct(h,!1,!0).map(p=>add0x(p.toHex(!0)))}getCells(blob){if(!this.
G1M)throw new Error("PeerDAS requires full kzg setup (with G1 monomial)");let blobParsed=this.parseBlob(blob),polyMShort=this.fftFr.inverse(blobParsed,!0),extendedEvalBRP=this.
fftFr.direct(strideExtend(polyMShort,1,FE_PER_EXT_BLOB),!1,!0);return{cells:chunks(extendedEvalBRP,FE_PER_CELL).map(Cell.encode),polyMShort}}computeCells(blob){
return this.getCells(blob).cells}computeCellsAndProofs(blob){let{cells,polyMShort}=this.getCells(blob),proofs=this.Fk20Proof(polyMShort);return[cells,proofs]}recoverCell(indices,recoveredCellsNulls){
let PEERDAS_RECOVERY_SHIFT=_7n,PEERDAS_RECOVERY_SHIFT_INV=Fr.inv(_7n),cellsBRPFull=bitReversalPermutation(recoveredCellsNulls),missingIndicesBRP=[],indicesSet=new Set(
indices);for(let i=0;i<CELLS_PER_EXT_BLOB;i++)indicesSet.has(i)||missingIndicesBRP.push(reverseBits(i,log2(CELLS_PER_EXT_BLOB)));if(missingIndicesBRP.length===0||
missingIndicesBRP.length>=CELLS_PER_EXT_BLOB)throw new Error("Invalid number of missing cells for vanishing polynomial");let roots=[],extRoots=this.ROOTS_CACHE.
roots(log2(FE_PER_EXT_BLOB));for(let i=0;i<missingIndicesBRP.length;i++)roots.push(extRoots[missingIndicesBRP[i]*FK20_STRIDE]);let shortVanishing=this.polyFr.vanishing(
roots),vanishing=strideExtend(shortVanishing,FE_PER_CELL,FE_PER_EXT_BLOB),vanishingEval=this.fftFr.direct(vanishing),extendedEvalZero=[];for(let i=0;i<FE_PER_EXT_BLOB;i++){
let v=cellsBRPFull[i];extendedEvalZero.push(v===null?Fr.ZERO:Fr.mul(v,vanishingEval[i]))}let extendedCoset=this.fftFr.direct(this.polyFr.shift(this.fftFr.inverse(
extendedEvalZero),PEERDAS_RECOVERY_SHIFT)),vanishingShifted=this.polyFr.shift(vanishing,PEERDAS_RECOVERY_SHIFT),vanishingCoset=this.fftFr.direct(vanishingShifted),
reconstructedCoset=[];for(let i=0;i<FE_PER_EXT_BLOB;i++)reconstructedCoset.push(Fr.div(extendedCoset[i],vanishingCoset[i]));return this.fftFr.direct(this.polyFr.
shift(this.fftFr.inverse(reconstructedCoset),PEERDAS_RECOVERY_SHIFT_INV),!1,!0)}recoverCellsAndProofs(indices,cells){if(!this.G1M)throw new Error("PeerDAS requi\
res full kzg setup (with G1 monomial)");if(cells.length!==indices.length)throw new Error("Indices and cells array lengths mismatch");if(indices.length>CELLS_PER_EXT_BLOB)
throw new Error(`Too many cells provided (${indices.length} > ${CELLS_PER_EXT_BLOB})`);if(indices.length<CELLS_PER_BLOB)throw new Error(`Not enough cells provid\
ed (${indices.length} < ${CELLS_PER_BLOB}) for recovery`);let uniqueIndices=new Set;for(let idx of indices){if(!Number.isSafeInteger(idx)||idx<0||idx>=CELLS_PER_EXT_BLOB)
throw new Error(`Invalid cell index found: ${idx}`);if(uniqueIndices.has(idx))throw new Error(`Duplicate cell index found: ${idx}`);uniqueIndices.add(idx)}let recoveredCellsNulls=new Array(
FE_PER_EXT_BLOB).fill(null);for(let i=0;i<indices.length;i++){let idx=indices[i],fields=Cell.decode(cells[i]);for(let j=0;j<FE_PER_CELL;j++)recoveredCellsNulls[idx*
FE_PER_CELL+j]=fields[j]}let recoveredCells;if(indices.length===CELLS_PER_EXT_BLOB){if(recoveredCellsNulls.some(f=>f===null))throw new Error("Internal error: Nu\
ll found even when all cells provided");recoveredCells=recoveredCellsNulls}else recoveredCells=this.recoverCell(indices,recoveredCellsNulls);let allCells=chunks(
recoveredCells,FE_PER_CELL).map(Cell.encode),proofs=this.Fk20Proof(this.fftFr.inverse(recoveredCells,!0).slice(0,FE_PER_BLOB));return[allCells,proofs]}verifyCellKzgProofBatch(commitments,indices,cells,proofs){
if(!this.G1M)throw new Error("PeerDAS requires full kzg setup (with G1 monomial)");if(this.G2M.length<=FE_PER_CELL)throw new Error("PeerDAS requires at least 65\
 g2_monomial points");if(commitments.length!==cells.length||indices.length!==cells.length||proofs.length!==cells.length)throw new Error("verifyCellKzgProofBatch\
: input array lengths mismatch");if(cells.length===0)return!0;for(let idx of indices)if(!Number.isSafeInteger(idx)||idx<0||idx>=CELLS_PER_EXT_BLOB)throw new Error(
"verifyCellKzgProofBatch: invalid cell index: "+idx);let uniqueMap=new Map,uniqueCommitments=[],uniqueCommitmentBytes=[],commitmentIndicesMap=[];for(let i=0;i<commitments.
length;i++){let commitHex=commitments[i];if(uniqueMap.has(commitHex))commitmentIndicesMap.push(uniqueMap.get(commitHex));else{let newIndex=uniqueCommitments.length;
uniqueMap.set(commitHex,newIndex),uniqueCommitments.push(commitHex),uniqueCommitmentBytes.push(hexToBytes(strip0x(commitHex))),commitmentIndicesMap.push(newIndex)}}
let cellsBytes=cells.map(c=>hexToBytes(strip0x(c))),proofsBytes=proofs.map(p=>hexToBytes(strip0x(p))),h=sha256.create();h.update(asciiToBytes("RCKZGCBATCH__V1_")),
h.update(numberToBytesBE(FE_PER_CELL,8)),h.update(numberToBytesBE(uniqueCommitments.length,8)),h.update(numberToBytesBE(cells.length,8));for(let c of uniqueCommitmentBytes)
h.update(c);for(let idx of commitmentIndicesMap)h.update(numberToBytesBE(idx,8));for(let idx of indices)h.update(numberToBytesBE(idx,8));for(let c of cellsBytes)
h.update(c);for(let p of proofsBytes)h.update(p);let r=Fr.create(Fr.fromBytes(h.digest(),!0));h.destroy();let rPowers=this.getRPowers(r,cells.length),proofsG1=proofsBytes.
map(this.parseG1),proofLincomb=this.G1msm(proofsG1,rPowers),uniqueCommitmentsG1=uniqueCommitmentBytes.map(this.parseG1),weights=new Array(uniqueCommitments.length).
fill(Fr.ZERO);for(let i=0;i<commitmentIndicesMap.length;i++){let idx=commitmentIndicesMap[i];weights[idx]=Fr.add(weights[idx],rPowers[i])}let CAgg=this.G1msm(uniqueCommitmentsG1,
weights),columns=Array.from({length:CELLS_PER_EXT_BLOB},()=>new Array(FE_PER_CELL).fill(Fr.ZERO)),usedRows=new Set;for(let k=0;k<cells.length;k++){let row=indices[k];
usedRows.add(row);let weight=rPowers[k],cell=Cell.decodeBytes(cellsBytes[k]);for(let j=0;j<FE_PER_CELL;j++)columns[row][j]=Fr.add(columns[row][j],Fr.mul(cell[j],
weight))}let ROOTS_EXT=this.ROOTS_CACHE.roots(log2(FE_PER_EXT_BLOB)),aggInterp=new Array(FE_PER_CELL).fill(Fr.ZERO);for(let i of usedRows){let idx=(FE_PER_EXT_BLOB-
CELL_INDICES_RBL[i])%FE_PER_EXT_BLOB,cosetR=ROOTS_EXT[idx],shifted=this.polyFr.shift(this.fftFr.inverse(columns[i],!0),cosetR);for(let k=0;k<FE_PER_CELL;k++)aggInterp[k]=
Fr.add(aggInterp[k],shifted[k])}let IAgg=this.G1msm(this.G1M.slice(0,FE_PER_CELL),aggInterp),weightedR=[];for(let k=0;k<proofsG1.length;k++){let idx=indices[k],
hkPow=CELL_INDICES_RBL[idx]*FE_PER_CELL%FE_PER_EXT_BLOB;weightedR.push(Fr.mul(rPowers[k],ROOTS_EXT[hkPow]))}let PiAgg=this.G1msm(proofsG1,weightedR);return pairingVerify(
CAgg.add(IAgg.negate()).add(PiAgg),G2.BASE,proofLincomb,this.G2M[FE_PER_CELL])}};export{KZG};
