// Runs in the context of one tracer, before the tracer: makes the objects of geth's interface for tracers in JavaScript
// (eth/tracers/js). All that comes from outside is text.
(host, run) => {
  const { parse, stringify } = JSON;
  const interfaceNames = ['result', 'fault', 'step', 'enter', 'exit', 'setup'];
  // The stack trace of an error would otherwise be made by a function of the tracer's, outside of its calls.
  Object.defineProperty(Error, 'prepareStackTrace', { value: undefined });

  /** Why the tracer has to end, whether or not it catches the error. */
  let stopped;
  const stop = (reason) => {
    stopped ??= reason;
    throw new Error(reason);
  };

  /** @returns what the main thread answers */
  const ask = (...read) => {
    let text;
    try {
      text = host(stringify(read));
    } catch {
      // An error of the host is an object of another realm.
      text = undefined;
    }
    if (typeof text !== 'string' || text === '') return stop('the state could not be read');
    const { error, answer } = parse(text);
    return error === undefined ? answer : stop(error);
  };

  // Bytes

  const toBytes = (hex) => {
    const bytes = new Uint8Array(hex.length / 2);
    for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(hex.substr(2 * i, 2), 16);
    return bytes;
  };
  const DIGITS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
  const toDigits = (bytes) => {
    let digits = '';
    for (let i = 0; i < bytes.length; i++) digits += DIGITS[bytes[i]];
    return digits;
  };
  /** The bytes of an array, a Uint8Array or, where `texts` is set, hex with or without 0x. */
  const fromBuffer = (value, texts) => {
    if (texts && (typeof value === 'string' || value instanceof String)) {
      const digits = String(value).replace(/^0[xX]/, '');
      return /^[0-9a-fA-F]*$/.test(digits)
        ? toBytes(digits.length % 2 ? `0${digits}` : digits)
        : new Uint8Array(0);
    }
    if (Array.isArray(value)) return Uint8Array.from(value);
    if (value instanceof Uint8Array) return value;
    return stop('invalid buffer type');
  };
  /** The last `size` bytes, with zeros before them where there are fewer. */
  const padTo = (bytes, size) => {
    const fitted = new Uint8Array(size);
    const kept = bytes.subarray(Math.max(0, bytes.length - size));
    fitted.set(kept, size - kept.length);
    return fitted;
  };
  const addressDigits = (value, texts) => toDigits(padTo(fromBuffer(value, texts), 20));

  // Integers, with the interface of BigInteger.js, which geth gives to tracers

  const ZERO = BigInt(0);
  const ONE = BigInt(1);
  const DIGITS_36 = '0123456789abcdefghijklmnopqrstuvwxyz';
  const absOf = (n) => (n < ZERO ? -n : n);
  const gcdOf = (a, b) => (b === ZERO ? absOf(a) : gcdOf(b, a % b));
  const powMod = (base, exponent, modulus) => {
    let result = ONE;
    let power = base % modulus;
    for (let rest = exponent; rest > ZERO; rest >>= ONE) {
      if (rest & ONE) result = (result * power) % modulus;
      power = (power * power) % modulus;
    }
    return result;
  };
  const parseIn = (text, base) => {
    if (base === 10) {
      // As 1e3 too.
      const [, sign, whole, fraction, exponent] =
        /^([-+]?)(\d+)(?:\.(\d*))?(?:[eE]\+?(\d+))?$/.exec(text) ?? [];
      if (whole === undefined || (fraction ?? '').length > Number(exponent ?? 0))
        throw new Error(`Invalid integer: ${text}`);
      const digits = whole + (fraction ?? '').padEnd(Number(exponent ?? 0), '0');
      return sign === '-' ? -BigInt(digits) : BigInt(digits);
    }
    const negative = text[0] === '-';
    let result = ZERO;
    for (const digit of (negative ? text.slice(1) : text).toLowerCase()) {
      const value = DIGITS_36.indexOf(digit);
      if (value < 0 || value >= Math.abs(base))
        throw new Error(`${digit} is not a valid digit in base ${base}.`);
      result = result * BigInt(base) + BigInt(value);
    }
    return negative ? -result : result;
  };
  const integerFrom = (value, base = 10) => {
    if (value === undefined) return ZERO;
    if (value instanceof BigInteger) return value.value;
    if (typeof value === 'bigint') return value;
    if (typeof value === 'number') {
      if (!Number.isInteger(value)) throw new Error(`${value} is not an integer.`);
      return BigInt(value);
    }
    return parseIn(String(value), Number(base));
  };
  const make = (value) => {
    const made = Object.create(BigInteger.prototype);
    made.value = value;
    return made;
  };
  function BigInteger() {}
  const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
  const nonZero = (n) => {
    if (n === ZERO) throw new Error('Cannot divide by zero');
    return n;
  };
  const binary = {
    add: (a, b) => a + b,
    subtract: (a, b) => a - b,
    multiply: (a, b) => a * b,
    divide: (a, b) => a / nonZero(b),
    mod: (a, b) => a % nonZero(b),
    pow: (a, b) => (b < ZERO ? ZERO : a ** b),
    and: (a, b) => a & b,
    or: (a, b) => a | b,
    xor: (a, b) => a ^ b,
    shiftLeft: (a, b) => a << b,
    shiftRight: (a, b) => a >> b,
    modInv: (a, b) => {
      let [t, next, r, rest] = [ZERO, ONE, b, absOf(a)];
      while (rest !== ZERO) {
        const q = r / rest;
        [t, next] = [next, t - q * next];
        [r, rest] = [rest, r - q * rest];
      }
      if (absOf(r) !== ONE) throw new Error(`${a} and ${b} are not co-prime`);
      const inverse = t < ZERO ? t + b : t;
      return a < ZERO ? -inverse : inverse;
    },
  };
  const unary = {
    negate: (a) => -a,
    abs: absOf,
    next: (a) => a + ONE,
    prev: (a) => a - ONE,
    square: (a) => a * a,
    not: (a) => ~a,
    bitLength: (a) => BigInt(a === ZERO ? 0 : (a < ZERO ? -a - ONE : a).toString(2).length),
  };
  const isPrime = (n) => {
    const value = absOf(n);
    if (value < BigInt(2)) return false;
    for (const small of [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37].map(BigInt)) {
      if (value === small) return true;
      if (value % small === ZERO) return false;
    }
    let [odd, twos] = [value - ONE, 0];
    while (!(odd & ONE)) [odd, twos] = [odd >> ONE, twos + 1];
    return [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37].map(BigInt).every((base) => {
      let x = powMod(base, odd, value);
      for (let i = 0; x !== ONE && x !== value - ONE; i++) {
        if (i >= twos - 1) return false;
        x = (x * x) % value;
      }
      return true;
    });
  };
  const tests = {
    equals: (a, b) => a === b,
    notEquals: (a, b) => a !== b,
    greater: (a, b) => a > b,
    greaterOrEquals: (a, b) => a >= b,
    lesser: (a, b) => a < b,
    lesserOrEquals: (a, b) => a <= b,
    compare,
    compareAbs: (a, b) => compare(absOf(a), absOf(b)),
    isEven: (a) => !(a & ONE),
    isOdd: (a) => Boolean(a & ONE),
    isZero: (a) => a === ZERO,
    isUnit: (a) => absOf(a) === ONE,
    isPositive: (a) => a > ZERO,
    isNegative: (a) => a < ZERO,
    isDivisibleBy: (a, b) => b !== ZERO && a % b === ZERO,
    isPrime,
    isProbablePrime: isPrime,
  };
  const methods = {
    divmod: (a, b) => ({ quotient: make(a / nonZero(b)), remainder: make(a % b) }),
    modPow: (a, b, modulus) =>
      make(powMod(b < ZERO ? binary.modInv(a, modulus) : a, absOf(b), nonZero(modulus))),
  };
  const names = {
    add: ['plus'],
    subtract: ['minus'],
    multiply: ['times'],
    divide: ['over'],
    mod: ['remainder'],
    compare: ['compareTo'],
    equals: ['eq'],
    notEquals: ['neq'],
    greater: ['gt'],
    greaterOrEquals: ['geq'],
    lesser: ['lt'],
    lesserOrEquals: ['leq'],
  };
  const define = (table, wrap) => {
    for (const name of Object.keys(table))
      for (const alias of [name, ...(names[name] ?? [])])
        BigInteger.prototype[alias] = function (...given) {
          return wrap(table[name](this.value, ...given.map((one) => integerFrom(one))));
        };
  };
  define(binary, make);
  define(unary, make);
  define(tests, (result) => result);
  define(methods, (result) => result);
  Object.assign(BigInteger.prototype, {
    toString(radix = 10) {
      return this.value.toString(radix);
    },
    toJSON() {
      return this.value.toString();
    },
    valueOf() {
      return Number(this.value);
    },
    toJSNumber() {
      return Number(this.value);
    },
    toArray(radix = 10) {
      const digits = [];
      for (let rest = absOf(this.value); rest > ZERO || digits.length === 0; rest /= BigInt(radix))
        digits.unshift(Number(rest % BigInt(radix)));
      return { value: digits, isNegative: this.value < ZERO };
    },
  });
  const bigInt = (value, base) => make(integerFrom(value, base));
  const pick = (wanted) => (a, b) => {
    const [x, y] = [integerFrom(a), integerFrom(b)];
    return make(compare(x, y) === wanted ? x : y);
  };
  for (let i = -999; i < 1000; i++) bigInt[i] = make(BigInt(i));
  Object.assign(bigInt, {
    zero: bigInt[0],
    one: bigInt[1],
    minusOne: bigInt[-1],
    max: pick(1),
    min: pick(-1),
    gcd: (a, b) => make(gcdOf(integerFrom(a), integerFrom(b))),
    lcm: (a, b) =>
      make(absOf(integerFrom(a) * integerFrom(b)) / (gcdOf(integerFrom(a), integerFrom(b)) || ONE)),
    isInstance: (value) => value instanceof BigInteger,
    fromArray: (digits, base = 10, isNegative = false) => {
      const value = digits.reduce((sum, digit) => sum * integerFrom(base) + integerFrom(digit), ZERO);
      return make(isNegative ? -value : value);
    },
  });

  // What tracers call

  /** addresses of the precompiles, 40 hex digits */
  let precompiles = [];
  const helpers = {
    bigInt,
    toHex: (value) => `0x${toDigits(fromBuffer(value, false))}`,
    toWord: (value) => padTo(fromBuffer(value, true), 32),
    toAddress: (value) => padTo(fromBuffer(value, true), 20),
    toContract: (from, nonce) => toBytes(ask('create', addressDigits(from, true), Number(nonce))),
    toContract2: (from, salt, code) =>
      toBytes(
        ask(
          'create2',
          addressDigits(from, true),
          toDigits(padTo(fromBuffer(salt, true), 32)),
          toDigits(fromBuffer(code, true)),
        ),
      ),
    isPrecompiled: (address) => precompiles.includes(addressDigits(address, true)),
    slice: (value, start, end) => {
      const bytes = fromBuffer(value, false);
      if (start < 0 || start > end || end > bytes.length)
        return stop(
          `Tracer accessed out of bound memory: available ${bytes.length}, offset ${start}, size ${end - start}`,
        );
      return bytes.slice(start, end);
    },
  };
  for (const name of Object.keys(helpers))
    Object.defineProperty(globalThis, name, {
      value: helpers[name],
      writable: true,
      configurable: true,
      enumerable: true,
    });

  const db = {
    getBalance: (address) => make(BigInt(ask('balance', addressDigits(address)))),
    getNonce: (address) => ask('nonce', addressDigits(address)),
    getCode: (address) => toBytes(ask('code', addressDigits(address))),
    getState: (address, slot) =>
      toBytes(ask('slot', addressDigits(address), toDigits(padTo(fromBuffer(slot, false), 32)))),
    exists: (address) => ask('exists', addressDigits(address)),
  };

  /** What the current step is. */
  let step = {};
  const stack = [];
  let memory = new Uint8Array(0);
  /** the call of each depth that runs code */
  const contracts = [];
  const contract = () => contracts[step.depth];
  const MOST_PADDING = 1024 * 1024;
  const log = {
    op: {
      toNumber: () => step.opcode,
      toString: () => step.op,
      isPush: () => step.opcode >= 0x5f && step.opcode <= 0x7f,
    },
    stack: {
      peek: (index) => {
        if (!(index >= 0 && index < stack.length))
          return stop(`tracer accessed out of bound stack: size ${stack.length}, index ${index}`);
        return make(BigInt(stack[stack.length - 1 - index]));
      },
      length: () => stack.length,
    },
    memory: {
      slice: (begin, end) => {
        const [from, to] = [Number(begin), Number(end)];
        if (from === to) return new Uint8Array(0);
        if (!(to > from && from >= 0))
          return stop(`tracer accessed out of bound memory: offset ${from}, end ${to}`);
        if (to - memory.length > MOST_PADDING)
          return stop(`reached limit for padding memory slice: ${to - memory.length}`);
        const copy = new Uint8Array(to - from);
        copy.set(memory.subarray(from, to));
        return copy;
      },
      getUint: (offset) => {
        const at = Number(offset);
        if (!(at >= 0 && at + 32 <= memory.length))
          return stop(
            `tracer accessed out of bound memory: available ${memory.length}, offset ${at}, size 32`,
          );
        return make(BigInt(`0x${toDigits(memory.subarray(at, at + 32))}`));
      },
      length: () => memory.length,
    },
    contract: {
      getCaller: () => toBytes(contract().caller),
      getAddress: () => toBytes(contract().address),
      getValue: () => make(BigInt(contract().value)),
      getInput: () => toBytes(contract().input),
    },
    getPC: () => step.pc,
    getGas: () => step.gas,
    getCost: () => step.cost,
    getDepth: () => step.depth,
    getRefund: () => step.refund,
    getError: () => step.error,
  };
  let frame = {};
  const frameObject = {
    getType: () => frame.type,
    getFrom: () => toBytes(frame.from),
    getTo: () => toBytes(frame.to),
    getInput: () => toBytes(frame.input),
    getGas: () => frame.gas,
    getValue: () => (frame.value === undefined ? undefined : make(BigInt(frame.value))),
  };
  let ended = {};
  const frameResult = {
    getGasUsed: () => ended.gasUsed,
    getOutput: () => toBytes(ended.output),
    getError: () => ended.error,
  };

  let tracer;
  const methodsOf = {};
  /** Calls a function of the tracer's. @throws what it throws, and the reason for which it has to end */
  const call = (name, ...given) => {
    let result;
    let failure;
    try {
      result = Reflect.apply(methodsOf[name], tracer, given);
    } catch (error) {
      failure = { error };
    }
    if (stopped === undefined && !failure) return result;
    let reason = stopped;
    if (reason === undefined) {
      try {
        reason = String(failure.error);
      } catch {
        reason = 'an error that is no text';
      }
    }
    throw { reason: `${reason.slice(0, 1000)}    in server-side tracer function '${name}'` };
  };

  const events = {
    frame: (event) => {
      contracts[event.depth] = event;
    },
    step: (event) => {
      stack.length = event.common;
      for (const word of event.stack) stack.push(word);
      if (event.memory !== undefined) memory = toBytes(event.memory);
      step = event;
      if (methodsOf.step) call('step', log, db);
    },
    fault: (event) => {
      step.error = event.error;
      call('fault', log, db);
    },
    enter: (event) => {
      frame = event;
      if (methodsOf.enter) call('enter', frameObject);
    },
    exit: (event) => {
      ended = event;
      if (methodsOf.exit) call('exit', frameResult);
    },
  };

  const requests = {
    start: ({ code, config, precompiled }) => {
      precompiles = precompiled;
      tracer = run(`(${code}\n)`);
      if ((typeof tracer !== 'object' && typeof tracer !== 'function') || tracer === null)
        throw { reason: 'a tracer has to be an object' };
      for (const name of interfaceNames)
        if (typeof tracer[name] === 'function') methodsOf[name] = tracer[name];
      for (const name of ['result', 'fault'])
        if (!methodsOf[name]) throw { reason: `trace object must expose a function ${name}()` };
      if (!methodsOf.enter !== !methodsOf.exit)
        throw { reason: 'trace object must expose either both or none of enter() and exit()' };
      if (methodsOf.setup) call('setup', config);
      return { steps: methodsOf.step !== undefined, frames: methodsOf.enter !== undefined };
    },
    events: ({ list }) => {
      for (const event of list) events[event.kind](event);
    },
    result: ({ bytes, integers, rest }) => {
      const ctx = { ...rest };
      for (const name of Object.keys(bytes)) ctx[name] = toBytes(bytes[name]);
      for (const name of Object.keys(integers)) ctx[name] = make(BigInt(integers[name]));
      return stringify(call('result', ctx, db)) ?? 'null';
    },
  };

  return (text) => {
    try {
      const request = parse(text);
      return stringify({ answer: requests[request.kind](request) });
    } catch (error) {
      let reason = 'the tracer has failed';
      try {
        reason = typeof error?.reason === 'string' ? error.reason : String(error);
      } catch {
        // The error can't be told.
      }
      return stringify({ error: reason.slice(0, 2000) });
    }
  };
};
