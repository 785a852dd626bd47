import { EventEmitter, once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { serveEditor } from '../../src/cli/dap/serve.ts';
import { type Io, main } from '../../src/cli/main.ts';
import { type Started, startNode } from '../../src/start.ts';
import { artifactFolder, callData, creation, lineOf, sources } from '../debugger/shop.ts';
import { type Call, callsOf, type Wire } from '../wire.ts';

const SHOP = 'contracts/Shop.sol';
const VAULT = 'contracts/Vault.sol';
const { folder: artifacts, remove } = artifactFolder();
/** The project: Shop.sol as it was compiled, and another Vault.sol. */
const project = mkdtempSync(join(tmpdir(), 'project-'));
mkdirSync(dirname(join(project, SHOP)));
writeFileSync(join(project, SHOP), sources[SHOP]);
writeFileSync(join(project, VAULT), '// changed since');

let node: Started;
let call: Call;
let shop: string;
let buy: (value: number) => Promise<string>;
const signals = new EventEmitter();
const printed = { stdout: '', stderr: '' };
let adapter: Promise<number>;
let port: number;

/** The command line in this process. */
const io = (out: typeof printed): Io => ({
  ...{ version: '1.2.3', env: {}, signals, exit: () => {}, flush: async () => {} },
  stdout: {
    write: (text) => {
      out.stdout += text;
    },
  },
  stderr: {
    write: (text) => {
      out.stderr += text;
    },
  },
  load: () => Promise.reject(new Error('not here')),
  loadFollow: () => Promise.reject(new Error('not here')),
});

beforeAll(async () => {
  node = await startNode({ automine: true, port: 0, artifacts });
  call = callsOf(node);
  const [from] = await call('eth_accounts');
  const send = (fields: object) => call('eth_sendTransaction', { from, gas: '0x300000', ...fields });
  const deploy = async (data: string) =>
    (await call('eth_getTransactionReceipt', await send({ data }))).contractAddress;
  shop = await deploy(creation('Shop', [await deploy(creation('Vault')), 1n]));
  buy = (value) => send({ to: shop, value: `0x${value}`, data: callData('Shop', 'buy', [0n]) });
  adapter = main(['debug', '--dap', '--port', '0', '--rpc', node.url!], io(printed));
  while (!printed.stdout.includes('\n')) await new Promise((resolve) => setImmediate(resolve));
  port = Number(/:(\d+)\n/.exec(printed.stdout)![1]);
});

afterAll(async () => {
  signals.emit('SIGTERM');
  expect(await adapter).toBe(0);
  await node.close();
  remove();
  rmSync(project, { recursive: true });
});

/** An editor, as far as these tests need one. */
class Editor {
  readonly #socket: Socket;
  readonly #messages: Wire[] = [];
  readonly #arrived = new EventEmitter();
  #bytes = Buffer.alloc(0);
  #seq = 0;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk) => {
      this.#bytes = Buffer.concat([this.#bytes, chunk]);
      for (;;) {
        const end = this.#bytes.indexOf('\r\n\r\n');
        const length = Number(/Content-Length: (\d+)/.exec(this.#bytes.toString('latin1', 0, end))?.[1]);
        if (end < 0 || this.#bytes.length < end + 4 + length) return;
        this.#messages.push(JSON.parse(this.#bytes.toString('utf8', end + 4, end + 4 + length)));
        this.#bytes = this.#bytes.subarray(end + 4 + length);
        this.#arrived.emit('message');
      }
    });
  }

  static async open(): Promise<Editor> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new Editor(socket);
  }

  async #next(fits: (message: Wire) => boolean): Promise<Wire> {
    for (;;) {
      const i = this.#messages.findIndex(fits);
      if (i >= 0) return this.#messages.splice(i, 1)[0]!;
      await once(this.#arrived, 'message');
    }
  }

  event(name: string): Promise<Wire> {
    return this.#next(({ type, event }) => type === 'event' && event === name);
  }

  /** @returns the response */
  async ask(command: string, args?: object): Promise<Wire> {
    const seq = ++this.#seq;
    const text = JSON.stringify({ seq, type: 'request', command, arguments: args });
    this.#socket.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
    return this.#next(({ type, request_seq }) => type === 'response' && request_seq === seq);
  }

  async body(command: string, args?: object): Promise<Wire> {
    const response = await this.ask(command, args);
    expect([command, response.success, response.message]).toEqual([command, true, undefined]);
    return response.body;
  }

  /** Lets the transaction go on. @returns why it stopped, and where: the innermost frame's file and line */
  async go(command: string, args: object = {}): Promise<[string, string]> {
    await this.body(command, { threadId: 1, ...args });
    return this.stopped();
  }

  async stopped(): Promise<[string, string]> {
    const { reason } = (await this.event('stopped')).body;
    const [top] = (await this.frames()) as Wire[];
    return [reason, `${top.source?.name}:${top.line}`];
  }

  async frames(): Promise<Wire[]> {
    return (await this.body('stackTrace', { threadId: 1 })).stackFrames;
  }

  /** By scope's name: its variables by name. */
  async variables(frameId: number): Promise<Record<string, Record<string, string>>> {
    const all: Record<string, Record<string, string>> = {};
    for (const { name, variablesReference } of (await this.body('scopes', { frameId })).scopes) {
      const { variables } = await this.body('variables', { variablesReference });
      all[name] = Object.fromEntries(variables.map((each: Wire) => [each.name, each.value]));
    }
    return all;
  }

  async launch(transaction: string, more: object = {}, client: object = {}): Promise<void> {
    const capabilities = await this.body('initialize', {
      adapterID: 'devnet',
      linesStartAt1: true,
      ...client,
    });
    expect(capabilities.supportsStepBack).toBe(true);
    await this.body('launch', { transaction, cwd: project, ...more });
    await this.event('initialized');
  }

  end(): void {
    this.#socket.destroy();
  }
}

const at = (file: string, text: string) => `${file.slice(10)}:${lineOf(file, text)}`;

it('an editor steps through a transaction, forward and back, and stops at breakpoints', async () => {
  const editor = await Editor.open();
  await editor.launch(await buy(4));
  const line = lineOf(SHOP, 'uint price = prices');
  const { breakpoints } = await editor.body('setBreakpoints', {
    source: { path: join(project, SHOP) },
    breakpoints: [{ line }, { line: 1 }],
  });
  expect(breakpoints).toEqual([
    { verified: true, line },
    { verified: false, line: 1, message: "the transaction doesn't run this line" },
  ]);
  await editor.body('setExceptionBreakpoints', { filters: ['revert'] });
  await editor.body('configurationDone');
  expect((await editor.event('output')).body.output).toBe('The transaction succeeded.\n');
  expect((await editor.stopped())[0]).toBe('entry');
  expect((await editor.body('threads')).threads).toHaveLength(1);
  expect(await editor.go('continue')).toEqual(['breakpoint', at(SHOP, 'uint price = prices')]);
  expect(await editor.go('next')).toEqual(['step', at(SHOP, 'return pay')]);
  expect(await editor.go('stepIn')).toEqual(['step', at(SHOP, 'function pay')]);
  expect(await editor.go('stepIn')).toEqual(['step', at(SHOP, 'return vault.take')]);
  expect(await editor.go('stepIn')).toEqual(['step', at(VAULT, 'function take')]);
  expect(await editor.go('stepOut')).toEqual(['step', at(SHOP, 'return vault.take')]);
  expect(await editor.go('stepBack')).toEqual(['step', at(SHOP, 'function pay')]);
  expect(await editor.go('reverseContinue')).toEqual(['breakpoint', at(SHOP, 'uint price = prices')]);
  expect((await editor.go('reverseContinue'))[0]).toBe('entry');
  const [before] = await editor.frames();
  expect((await editor.go('stepIn', { granularity: 'instruction' }))[0]).toBe('step');
  expect((await editor.go('stepBack', { granularity: 'instruction' }))[0]).toBe('step');
  expect((await editor.frames())[0]).toEqual(before);
  await editor.go('continue');
  expect((await editor.go('continue'))[0]).toBe('step');
  await editor.body('continue', { threadId: 1 });
  await editor.event('terminated');
  editor.end();
});

it('a failed transaction stops where it failed, with the calls, variables and the state at that moment', async () => {
  const editor = await Editor.open();
  await editor.launch(await buy(1), { stopOnEntry: false });
  await editor.body('setExceptionBreakpoints', { filters: ['revert'] });
  await editor.body('configurationDone');
  expect((await editor.event('output')).body.output).toContain("custom error 'Short(");
  expect(await editor.stopped()).toEqual(['exception', at(VAULT, 'revert Short')]);
  expect((await editor.body('exceptionInfo', { threadId: 1 })).description).toContain("custom error 'Short(");
  const frames = await editor.frames();
  expect(frames.map(({ name, line }: Wire) => [name, line])).toEqual([
    ['Vault.take', lineOf(VAULT, 'revert Short')],
    ['Shop.pay', lineOf(SHOP, 'return vault.take')],
    ['Shop.buy', lineOf(SHOP, 'return pay')],
  ]);
  // A file that is as it was compiled is the project's; of another one the editor gets the text that was.
  expect(frames[1]!.source).toEqual({ name: 'Shop.sol', path: join(project, SHOP) });
  const { sourceReference } = frames[0]!.source;
  expect((await editor.body('source', { sourceReference, source: { sourceReference } })).content).toBe(
    sources[VAULT],
  );
  const inTake = await editor.variables(frames[0]!.id);
  expect(inTake).toMatchObject({ Arguments: { price: '3' }, Locals: { needed: '4' } });
  expect(Object.keys(inTake)).toEqual([
    'Arguments',
    'Locals',
    'State variables',
    'Storage changes',
    'Stack',
    'Memory',
  ]);
  const inBuy = await editor.variables(frames[2]!.id);
  expect(inBuy).toMatchObject({ Arguments: { id: '0' }, Locals: { price: '3' } });
  const { variables } = await call('devnet_storageLayout', shop, 'latest');
  expect(inBuy['State variables']).toEqual(
    Object.fromEntries(variables.map(({ name, value }: Wire) => [name, String(value)])),
  );
  const value = async (expression: string, frameId = frames[0]!.id) =>
    (await editor.ask('evaluate', { expression, frameId })).body.result;
  expect(await value('needed')).toBe('4');
  expect(await value('price', frames[2]!.id)).toBe('3');
  expect(await value('msg.value')).toBe('0x1');
  expect(await value(variables[0].name, frames[2]!.id)).toBe(String(variables[0].value));
  const unknown = await editor.ask('evaluate', { expression: 'nothing', frameId: 0 });
  expect([unknown.success, unknown.message]).toEqual([false, "no variable 'nothing' is known here"]);
  editor.end();
});

it('state variables at a step are those that the transaction has written so far', async () => {
  const hash = await buy(4);
  const write = await call('devnet_step', hash, { from: 0, kind: 'sstore' });
  const [{ name }] = (await call('devnet_stepVariables', hash, write.step)).variables;
  const valueAt = async (step: number) =>
    (await call('devnet_stepVariables', hash, step)).variables.find((each: Wire) => each.name === name).value;
  const [before, after] = [await valueAt(write.step), await valueAt(write.step + 1)];
  expect(BigInt(after)).toBe(BigInt(before) + 4n);
  // Later transactions change nothing of it.
  await buy(4);
  expect(await valueAt(write.step + 1)).toBe(after);
  expect(await call('devnet_stepVariables', hash, 2 ** 31)).toBeNull();
});

it('what an editor asks for wrongly is refused in a sentence, and the session goes on', async () => {
  const editor = await Editor.open();
  const refused = async (command: string, args?: object) => {
    const { success, message } = await editor.ask(command, args);
    return success ? undefined : message;
  };
  expect(await refused('launch', { transaction: '0x12' })).toBe(
    '"transaction": expected the hash of a transaction, got "0x12"',
  );
  expect(await refused('launch', { transaction: `0x${'1'.repeat(64)}` })).toBe(
    'devnet_execution: transaction not found',
  );
  expect(await refused('stackTrace', { threadId: 1 })).toBe('the transaction has no steps');
  expect(await refused('constructor')).toBe("'constructor' is not supported");
  expect(await refused('continue')).toBe('no transaction was launched');
  await editor.launch(await buy(4));
  expect(
    (await editor.body('setBreakpoints', { source: { path: '/else/B.sol' }, breakpoints: [{ line: 3 }] }))
      .breakpoints,
  ).toEqual([{ verified: false, line: 3, message: 'the transaction runs no contract of this file' }]);
  await editor.body('configurationDone');
  await editor.stopped();
  expect(await refused('scopes', { frameId: 99 })).toBe('there is no frame 99');
  expect(await refused('source', { sourceReference: 99 })).toBe('there is no such source');
  expect((await editor.body('variables', { variablesReference: 99 })).variables).toEqual([]);
  await editor.body('disconnect');
  editor.end();
});

it('every request gets one answer, whatever its arguments are, and unknown ones are refused', async () => {
  const editor = await Editor.open();
  const refused = async (command: string, args?: object) => {
    const { success, message } = await editor.ask(command, args);
    return success ? undefined : message;
  };
  // Requests that the protocol has, names of methods of the adapter, and neither.
  for (const command of ['setVariable', 'readMemory', 'cancel', 'goto', 'custom', 'dispatch', 'toString', ''])
    expect(await refused(command, {})).toBe(`'${command}' is not supported`);
  expect(await refused('initialize', { pathFormat: 'uri' })).toBe('debug adapter only supports native paths');
  await editor.launch(await buy(4));
  await editor.body('configurationDone');
  await editor.stopped();
  const odd = [null, 5, 'x', {}, [null], [{}], -1, 2 ** 40, '__proto__'];
  for (const value of odd) {
    expect(await refused('scopes', { frameId: value })).toMatch(/^there is no frame /);
    expect(await refused('source', { sourceReference: value })).toBe('there is no such source');
    expect(await refused('evaluate', { expression: value })).toMatch(/ is known here$/);
    expect((await editor.body('variables', { variablesReference: value })).variables).toEqual([]);
    await editor.body('setExceptionBreakpoints', { filters: value });
    for (const args of [{ source: value }, { source: { path: value }, breakpoints: value }])
      expect(typeof (await editor.ask('setBreakpoints', args)).success).toBe('boolean');
    for (const args of [{ startFrame: value }, { levels: value }, { granularity: value }])
      expect(typeof (await editor.ask('stackTrace', args)).success).toBe('boolean');
  }
  // Braces would name variables of a message.
  expect(await refused('evaluate', { expression: '{_a} {b}' })).toBe("no variable '{_a} {b}' is known here");
  expect(await editor.frames()).toHaveLength(1);
  expect(printed.stderr).toBe('');
  editor.end();
});

it('an editor whose first line and column are 0 counts from 0', async () => {
  const editor = await Editor.open();
  await editor.launch(await buy(4), {}, { linesStartAt1: false, columnsStartAt1: false });
  const line = lineOf(SHOP, 'uint price = prices') - 1;
  const { breakpoints } = await editor.body('setBreakpoints', {
    source: { path: join(project, SHOP) },
    breakpoints: [{ line }],
  });
  expect(breakpoints).toEqual([{ verified: true, line }]);
  await editor.body('configurationDone');
  await editor.stopped();
  await editor.go('continue');
  expect((await editor.frames())[0]).toMatchObject({ line, column: 0 });
  editor.end();
});

it.each([
  ['GET / HTTP/1.1\r\n\r\n', 'expected Content-Length of at most 4194304 bytes, got none'],
  ['Content-Length: 9999999999\r\n\r\n', 'expected Content-Length of at most 4194304 bytes, got 9999999999'],
  ['Content-Length: 2\r\n\r\n{x', 'expected JSON behind the header'],
  ['x'.repeat(5_000), 'expected a header of the Debug Adapter Protocol'],
])('bytes that are no Debug Adapter Protocol end the session: %j', async (bytes, reason) => {
  const input = new PassThrough();
  const served = serveEditor(input, new PassThrough(), { hash: undefined, url: undefined, folder: project });
  input.end(bytes);
  await expect(served).rejects.toThrow(reason);
});

it('without a port an editor is served on stdin and stdout, message by message', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const served = serveEditor(input, output, { hash: await buy(4), url: node.url!, folder: project });
  const request = (seq: number, command: string) => {
    const text = JSON.stringify({ seq, type: 'request', command });
    return `Content-Length: ${text.length}\r\n\r\n${text}`;
  };
  const bytes = request(1, 'initialize') + request(2, 'launch') + request(3, 'disconnect');
  // As a pipe may cut it.
  for (const part of bytes.match(/.{1,7}/gs)!) input.write(part);
  await served;
  const told = String(output.read());
  expect(told.match(/"(command|event)":"\w+"/g)).toEqual([
    '"command":"initialize"',
    '"command":"launch"',
    '"event":"initialized"',
    '"command":"disconnect"',
  ]);
  expect(told.match(/"seq":\d+/g)).toEqual(['"seq":1', '"seq":2', '"seq":3', '"seq":4']);
});

it('the flags of the debug adapter are checked', async () => {
  const refusal = async (...args: string[]) => {
    const out = { stdout: '', stderr: '' };
    expect(await main(['debug', ...args], io(out))).toBe(1);
    return out.stderr;
  };
  expect(await refusal('--dap', '--port', 'x')).toBe(
    "error: --port: expected a port from 0 to 65535, got 'x'\n",
  );
  expect(await refusal(`0x${'1'.repeat(64)}`, '--port', '1')).toBe('error: --port needs --dap\n');
  expect(await refusal()).toBe("error: expected the hash of a transaction, got ''\n");
});
