import { DevnetError, ERRORS } from '../../../../src/errors.ts';
import { METHODS } from '../../../../src/rpc/all-methods.ts';
import type { RpcContext } from '../../../../src/rpc/context.ts';
import type { RpcMethod } from '../../../../src/rpc/define-method.ts';
import type { Random } from '../../../random.ts';
import { hostile, nearly, valuesFor } from './values.ts';

/** Requests that are made of a method while its parameters are learned. */
const LESSONS = 120;
const REFUSAL = /(params\S*): expected (.*), got /s;
const TOO_MANY = /expected (\d+) at most/;

/** What the codecs said of a place in the parameters, such as `params[0].accessList[].address`. */
interface Place {
  /** what was expected there, in the codecs' words */
  readonly expected: Set<string>;
  /** fields that were looked for */
  readonly fields: Set<string>;
}

/** What a method takes, as its codecs tell when they are asked: they refuse by place, and look for the fields they know. */
export class Parameters {
  readonly #method: RpcMethod;
  readonly #places = new Map<string, Place>();
  #count = 0;

  constructor(method: RpcMethod) {
    this.#method = method;
  }

  /** Those of all methods, by name. */
  static learn(random: Random): ReadonlyMap<string, Parameters> {
    return new Map(
      METHODS.map((method) => {
        const parameters = new Parameters(method);
        parameters.#learn(random);
        return [method.name, parameters] as const;
      }),
    );
  }

  /** Places whose meaning is known. */
  get size(): number {
    return this.#places.size;
  }

  /** Parameters for a request: mostly those that are taken, with something hostile in them here and there. */
  make(random: Random): unknown[] {
    const count = random.chance(0.9) ? this.#count : random.below(this.#count + 2);
    const hostility = random.pick([0, 0, 0.05, 0.3]);
    const values = Array.from({ length: count }, (_, i) => this.#value(`params[${i}]`, random, hostility, 0));
    // Trailing ones may be left out.
    return random.chance(0.3) ? values.slice(0, random.below(values.length + 1)) : values;
  }

  #learn(random: Random): void {
    const told = this.#ask(Array(100).fill(null));
    this.#count = Number(TOO_MANY.exec(told ?? '')?.[1] ?? 0);
    for (let lesson = 0; lesson < LESSONS; lesson++) {
      const params = Array.from({ length: this.#count }, (_, i) => {
        const path = `params[${i}]`;
        return this.#value(path, random, 0, 0, true);
      });
      const [, path, expected] = REFUSAL.exec(this.#ask(params) ?? '') ?? [];
      if (path && expected) this.#at(path).expected.add(expected);
    }
  }

  /** @returns why the parameters are refused; `undefined` when they aren't */
  #ask(params: unknown[]): string | undefined {
    // Nothing is done with parameters that are taken: a handler that looks for anything ends there.
    const nothing = new Proxy({} as RpcContext, {
      get: () => {
        throw new DevnetError('server', { reason: 'taken' });
      },
    });
    try {
      const answer = this.#method.call(nothing, params);
      if (answer instanceof Promise) answer.catch(() => {});
    } catch (error) {
      if (error instanceof DevnetError && error.code === ERRORS.invalidParams.code) return error.message;
    }
    return undefined;
  }

  #at(path: string): Place {
    const name = path.replace(/(?!^params)\[\d+\]/g, (index, at: number) =>
      at === 'params'.length ? index : '[]',
    );
    let place = this.#places.get(name);
    if (!place) {
      place = { expected: new Set(), fields: new Set() };
      this.#places.set(name, place);
    }
    return place;
  }

  /** An object that notes which fields are looked for. */
  #watched(path: string): object {
    return new Proxy(
      {},
      {
        getOwnPropertyDescriptor: (_, name) => {
          if (typeof name === 'string') this.#at(path).fields.add(name);
          return undefined;
        },
        get: (_, name) => {
          if (typeof name === 'string' && name !== 'toJSON') this.#at(path).fields.add(name);
          return undefined;
        },
      },
    );
  }

  #value(path: string, random: Random, hostility: number, depth: number, learns = false): unknown {
    if (random.chance(hostility)) return hostile(random);
    const { expected, fields } = this.#at(path);
    if (learns && (expected.size === 0 || depth > 6 || random.chance(0.3)))
      return this.#unknown(path, random);
    if (fields.size > 0 && depth < 6) {
      // Which of them go together only the codec knows: sometimes a few, sometimes all.
      const share = random.pick([0.1, 0.3, 0.6, 1]);
      const entries = [...fields]
        .filter(() => random.chance(share))
        .map((name) => [name, this.#value(`${path}.${name}`, random, hostility, depth + 1, learns)] as const);
      return Object.fromEntries(entries);
    }
    if (expected.size === 0) return hostile(random);
    const wanted = random.pick([...expected]);
    if (/array|list/.test(wanted) && random.chance(0.8)) {
      const length = random.pick([0, 1, 1, 2, 3]);
      return Array.from({ length }, () => this.#value(`${path}[]`, random, hostility, depth + 1, learns));
    }
    if (/addresses and/.test(wanted))
      return {
        [nearly('address', random)]: this.#value(
          `${path}.${'address'}`,
          random,
          hostility,
          depth + 1,
          learns,
        ),
      };
    return valuesFor(wanted, random);
  }

  #unknown(path: string, random: Random): unknown {
    // An object tells which fields are looked for; anything else, what is expected in its place.
    return random.pick([this.#watched(path), this.#watched(path), [this.#watched(`${path}[]`)], 'x']);
  }
}
