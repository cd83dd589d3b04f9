import { crc32 } from 'node:zlib';
import { describe, expect, it, test, vi } from 'vitest';
import type { Dropped, RollingWindowError } from '../../operators/index.ts';
import { createKeyedState, type KeyedStateConfig, type StateContext } from '../../operators/state/index.ts';

interface Click {
  readonly user: string;
  readonly at: number;
}
type Settings = Partial<Omit<KeyedStateConfig<Click, 'user', number, unknown, unknown>, 'partitionBy'>>;
type Context = StateContext<number, { user: string }>;

const click = (at: number, user = 'ann'): Click => ({ user, at });
const counted = (count: number, { user, at }: Click, { replace }: Context): unknown[] => {
  replace(count + 1);
  return [`${user} ${at} ${count + 1}`];
};
const stateOf = (settings: Settings = {}) => createKeyedState<Click>()({ partitionBy: 'user', orderBy: 'at', init: () => 0, onEvent: counted, ...settings });

const errorOf = (act: () => unknown): RollingWindowError => {
  try {
    act();
  } catch (error) {
    return error as RollingWindowError;
  }
  throw new Error('nothing was thrown');
};

describe('the line of time', () => {
  it('hands events over in order of time when the frontier reaches them, and says what waits', () => {
    const state = stateOf({ delay: 10 });

    expect(state.push(click(5), 10)).toBe('held');
    expect(state.push(click(3), 10)).toBe('held');
    expect(state.advance(10)).toEqual([]);
    expect(state.stats).toMatchObject({ held: 2, keys: 0 });
    expect(state.nextBoundary()).toBe(13);
    expect(state.advance(20)).toEqual(['ann 3 1', 'ann 5 2']);
    expect(state.push(click(4), 20)).toBe('taken'); // out of order, and not too late: there is no watermark
    expect(state.advance(20)).toEqual(['ann 4 3']);
    expect(state.nextBoundary()).toBeUndefined();
  });

  it('has timers before an event of their instant, keys that expire after the timers, by key and then by name', () => {
    const seen: string[] = [];
    const state = stateOf({
      ttl: 10,
      onEvent(_, { user, at }, { setTimer }) {
        seen.push(`${user} at ${at}`);
        if (at > 2) return;
        setTimer(10, 'b');
        setTimer(10, 'a');
      },
      onTimer: (_, { name }, { key, now }) => void seen.push(`timer ${name} of ${key.user} at ${now}`),
    });
    state.pushAll([click(10, 'ann'), click(1, 'bob'), click(2, 'ann'), click(20, 'bob')], 0);
    state.advance(30);

    expect(seen).toEqual(['bob at 1', 'ann at 2', 'timer a of bob at 10', 'timer b of bob at 10', 'timer a of ann at 10', 'timer b of ann at 10', 'ann at 10', 'bob at 20']);
    // Both keys went at 20, ten after what they had last; the event of 20 made bob's anew, and that went at 30.
    expect(state.stats).toMatchObject({ keys: 0, expired: 3 });
  });

  it('fires a timer that is set for the past right after the callback', () => {
    const state = stateOf({
      onEvent(_, { at }, { setTimer }) {
        setTimer(0);
        return [`event ${at}`];
      },
      onTimer: (_, { at }, { now }) => [`timer ${at} at ${now}`],
    });
    state.pushAll([click(5), click(6)], 0);

    expect(state.advance(10)).toEqual(['event 5', 'timer 0 at 5', 'event 6', 'timer 0 at 6']);
  });

  it('takes an event that is behind the frontier where the frontier was when it came, whenever it is looked at', () => {
    const state = stateOf({ delay: 10, onEvent: (_, { at }, { now }) => [[at, now]] });
    state.push(click(5), 30);
    state.push(click(25), 31);
    state.push(click(4), 32);

    expect(state.advance(50)).toEqual([[5, 20], [4, 22], [25, 25]]);
  });

  it('goes by the clock in processing time, in order of arrival, also where the clock is set back', () => {
    const state = stateOf({
      orderBy: undefined,
      onEvent: (_, { at }, { now, setTimer }) => {
        setTimer(now + 5);
        return [`${at} at ${now}`];
      },
      onTimer: (_, { at }, { now }) => [`timer ${at} at ${now}`],
    });
    state.push(click(70), 100);
    state.push(click(7), 101);
    state.push(click(8), 50);

    expect(state.advance(50)).toEqual(['70 at 100', '7 at 101', '8 at 101']);
    expect(state.stats.clockRegressions).toBe(1);
    expect(state.nextBoundary()).toBe(106);
    expect(state.advance(200)).toEqual(['timer 106 at 106']);
  });

  it('takes what came before the clock was read for an arrival of the first reading', () => {
    const state = stateOf({ orderBy: undefined, onEvent: (_, __, { now }) => [now] });
    state.push(click(1), -Infinity);

    expect(state.nextBoundary()).toBe(-Infinity);
    expect(state.advance(1000)).toEqual([1000]);
  });
});

describe('a callback', () => {
  it('may emit by a list, a generator or not at all', () => {
    const generator = stateOf({
      *onEvent(count, _, { replace }) {
        yield count;
        replace(count + 1);
        yield count + 1;
      },
    });
    generator.push(click(1), 1);

    expect(generator.advance(1)).toEqual([0, 1]);
    expect(generator.state({ user: 'ann' })).toBe(1);
  });

  it('that throws costs its key everything and emits nothing; all else happens, and leaves with the next evaluation', () => {
    const state = createKeyedState<Click>()({
      partitionBy: 'user',
      orderBy: 'at',
      init: () => ({ n: 0 }),
      *onEvent(half, { user, at }, { setTimer }) {
        half.n += 1;
        setTimer(100);
        yield `${user} ${half.n}`;
        if (user === 'bad' && at > 1) throw new Error('oops');
      },
      onTimer: (_, __, { key }) => [`timer of ${key.user}`],
    });
    state.pushAll([click(1, 'bad'), click(2, 'bad'), click(3)], 3);
    const error = errorOf(() => state.advance(3));

    expect(error).toMatchObject({ code: 'user-code', expected: 'onEvent to return', cause: new Error('oops') });
    expect(state.state({ user: 'bad' })).toBeUndefined();
    expect(state.removed).toEqual([]);
    expect(state.nextBoundary()).toBe(3);
    expect(state.advance(3)).toEqual(['bad 1', 'ann 1']);
    expect(state.removed).toEqual([{ user: 'bad' }]);
    expect(state.advance(100)).toEqual(['timer of ann']);
  });

  it.each([
    ['init', { init: () => { throw new Error('oops'); } }],
    ['onTimer', { onEvent: (_: number, __: Click, { setTimer }: Context) => setTimer(5), onTimer: () => { throw new Error('oops'); } }],
  ])('%s is named where it throws', (name, settings) => {
    const state = stateOf(settings);
    state.push(click(5), 5);

    expect(errorOf(() => state.advance(5))).toMatchObject({ code: 'user-code', expected: `${name} to return` });
    expect(state.stats.keys).toBe(0);
  });

  it('forgets its key with clear, whatever else it does', () => {
    const state = stateOf({
      onEvent(_, { at }, { clear, setTimer, replace }) {
        if (at === 2) clear();
        replace(at);
        setTimer(10);
        return [at];
      },
      onTimer: () => ['never'],
    });
    state.pushAll([click(1), click(2)], 2);

    expect(state.advance(20)).toEqual([1, 2]);
    expect(state.stats).toMatchObject({ keys: 0, timers: 0, timersFired: 0 });
    expect(state.removed).toEqual([{ user: 'ann' }]);
  });

  it('has timers by name: one is moved, not doubled, asked for, and cancelled', () => {
    const state = stateOf({
      onEvent(_, { at }, { setTimer, cancelTimer, timer }) {
        setTimer(at + 10);
        setTimer(at + 20, 'other');
        return [timer(), timer('none'), at === 2 && cancelTimer('other'), at === 2 && cancelTimer('other')];
      },
      onTimer: (_, { name, at }, { timer }) => [`${name}:${at}`, timer()],
    });
    state.pushAll([click(1), click(2)], 2);

    expect(state.advance(2)).toEqual([11, undefined, false, false, 12, undefined, true, false]);
    expect(state.advance(100)).toEqual([':12', undefined]);
  });

  it('is told what is wrong with a timer, and with a context that is over', () => {
    let kept: Context | undefined;
    const state = stateOf({ onEvent: (_, { at }, context) => (at < 0 ? context.setTimer(NaN) : void (kept = context)), onTimer: () => undefined });
    const without = stateOf({ onEvent: (_, __, { setTimer }) => setTimer(5) });
    state.pushAll([click(1), click(-1)], 2);
    without.push(click(1), 1);

    expect(errorOf(() => state.advance(2)).cause).toMatchObject({ code: 'invalid-time', given: 'NaN' });
    expect(errorOf(() => without.advance(2)).cause).toMatchObject({ code: 'invalid-config', expected: 'onTimer where a timer is set' });
    for (const call of [() => kept!.key, () => kept!.clear(), () => kept!.setTimer(5), () => kept!.replace(5), () => kept!.timer(), () => kept!.cancelTimer()]) {
      expect(errorOf(call)).toMatchObject({ code: 'invalid-config', given: 'one whose callback has returned' });
    }
  });

  it.each([
    ['a date', new Date(5)],
    ['a text', '5'],
    ['nothing', undefined],
    ['an infinity', Infinity],
  ])('is told that %s is no time of a timer, which the compiler does not see in an `any`', (_, time) => {
    const state = stateOf({ onEvent: (_state, _click, { setTimer }) => setTimer(time as never), onTimer: () => undefined });
    state.push(click(1), 1);

    expect(errorOf(() => state.advance(10)).cause).toMatchObject({ code: 'invalid-time' });
    expect(state.stats.timers).toBe(0);
  });

  it.each(['advance', 'snapshot', 'restore'] as const)('does not call %s from inside', (call) => {
    const state = stateOf({
      onEvent() {
        (state[call] as (argument: unknown) => void)(5);
      },
    });
    state.push(click(1), 1);

    expect(errorOf(() => state.advance(1)).cause).toMatchObject({ code: 'engine-in-use' });
    expect(state.snapshot()).toBeInstanceOf(Uint8Array);
  });

  it('may push: an event that is due comes in the same evaluation', () => {
    const state = stateOf({ onEvent: (_, { at }) => [at, at < 3 && state.push(click(at + 1), 5)] });
    state.push(click(1), 5);

    expect(state.advance(5)).toEqual([1, 'taken', 2, 'taken', 3, false]);
  });
});

describe('admission', () => {
  it('drops and tells what is late, too far ahead, or unreadable', () => {
    const drops: Dropped<Click>[] = [];
    const state = stateOf({ watermark: 5, maxFutureSkew: 100, onFuture: 'drop', dropped: { next: (drop) => drops.push(drop) } });
    state.push(click(50), 50);
    state.advance(50);
    state.advance(51); // W = 45

    expect([state.push(click(45), 51), state.push(click(152), 51), state.push(click(NaN), 51), state.push({ user: {} as never, at: 51 }, 51), state.push(null as never, 51)]).toEqual([
      ...['late', 'future', 'invalid', 'invalid', 'invalid'],
    ]);
    expect(drops.map(({ reason, eventTime, watermark, lateBy }) => [reason, eventTime, watermark, lateBy])).toEqual([
      ['late', 45, 45, 0],
      ['future', 152, 45, 0],
      ['invalid-time', NaN, 45, 0],
      ['invalid-key', 51, 45, 0],
      ['invalid-time', NaN, 45, 0],
    ]);
    expect(state.stats).toMatchObject({ late: 1, future: 1, invalid: 3 });
    expect(state.position).toEqual({ events: 6 });
  });

  it('keeps a watermark per source, and holds the future by default', () => {
    const state = stateOf({ watermark: { delay: 5, by: 'user' } });
    expect(state.push(click(400_000), 50)).toBe('held');
    state.push(click(50), 50);
    state.advance(50);
    state.advance(51);

    expect(state.push(click(45), 51)).toBe('late');
    expect(state.push(click(1, 'bob'), 51)).toBe('taken');
    expect(state.stats.future).toBe(1);
  });

  it.each([
    ['invalid-time', click(NaN), {}],
    ['invalid-key', { user: {} as never, at: 1 }, {}],
    ['future-event', click(1_000_000), { onFuture: 'error' }],
  ] as const)('throws %s where it is to be an error, and nothing has changed', (code, event, settings) => {
    const state = stateOf({ onInvalid: 'error', ...settings });

    expect(errorOf(() => state.push(event, 1))).toMatchObject({ code });
    expect(state.position.events).toBe(0);
  });

  it('makes room by the limits', () => {
    const drops: string[] = [];
    const events = [click(1, 'a'), click(2, 'b'), click(3, 'a'), click(4, 'c'), click(5, 'b')];
    const evicting = stateOf({ limits: { maxKeys: 2, onLimit: 'evict-idle' } });
    const dropping = stateOf({ limits: { maxKeys: 2, onLimit: 'drop-new' }, dropped: { next: ({ reason, event: { user } }) => drops.push(`${reason} ${user}`) } });
    const failing = stateOf({ limits: { maxKeys: 2 } });
    for (const state of [evicting, dropping, failing]) state.pushAll(events, 5);

    expect(evicting.advance(5)).toEqual(['a 1 1', 'b 2 1', 'a 3 2', 'c 4 1', 'b 5 1']); // b goes for c, a for b
    expect(evicting.removed).toEqual([{ user: 'a' }]); // b came back
    expect(evicting.stats).toMatchObject({ keys: 2, evicted: 2 });
    expect(dropping.advance(5)).toEqual(['a 1 1', 'b 2 1', 'a 3 2', 'b 5 2']);
    expect(drops).toEqual(['limit c']);
    expect(dropping.stats.limited).toBe(1);
    expect(errorOf(() => failing.advance(5))).toMatchObject({ code: 'limit-exceeded' });
    expect(failing.advance(5)).toEqual(['a 1 1', 'b 2 1', 'a 3 2', 'b 5 2']);
  });
});

describe('at rest', () => {
  it('keeps states that are no plain values, and events that wait, by functions of the user', () => {
    class Visit {
      readonly user: string;
      readonly at: number;
      constructor(user: string, at: number) {
        this.user = user;
        this.at = at;
      }
    }
    const open = () =>
      createKeyedState<Visit>()({
        partitionBy: 'user',
        orderBy: 'at',
        init: () => new Set<number>(),
        onEvent: (seen, visit) => [visit instanceof Visit, seen.add(visit.at).size],
        encode: (seen) => [...seen],
        decode: (saved) => new Set(saved as number[]),
        encodeEvent: ({ user, at }) => [user, at],
        decodeEvent: (saved) => new Visit(...(saved as [string, number])),
      });
    const state = open(), restored = open();
    state.pushAll([new Visit('ann', 1), new Visit('ann', 9)], 5);
    state.advance(5);
    restored.restore(state.snapshot());

    expect(restored.state({ user: 'ann' })).toEqual(new Set([1]));
    expect(restored.advance(9)).toEqual([true, 2]);
  });

  it('says what can not be saved', () => {
    const sets = createKeyedState<Click>()({ partitionBy: 'user', orderBy: 'at', init: () => new Set(), onEvent: () => undefined });
    const throwing = stateOf({ encode: () => { throw new Error('oops'); }, decode: () => 0 });
    for (const state of [sets, throwing]) {
      state.push(click(1), 1);
      state.advance(1);
    }

    expect(errorOf(() => sets.snapshot())).toMatchObject({ code: 'snapshot-unsupported-value' });
    expect(errorOf(() => throwing.snapshot())).toMatchObject({ code: 'user-code', expected: 'encode to return' });
  });

  it('refuses bytes that are not its own, and stays as it was', () => {
    const state = stateOf(), bytes = stateOf().snapshot();
    state.push(click(1), 1);
    state.advance(1);
    const before = state.snapshot();
    const changed = (at: number): Uint8Array => bytes.map((byte, i) => (i === at ? byte + 1 : byte));
    const newer = changed(4);
    new DataView(newer.buffer).setUint32(newer.length - 4, crc32(newer.subarray(0, -4)), true);

    const refused: [Uint8Array, string][] = [
      [changed(0), 'snapshot-foreign'],
      [new Uint8Array(), 'snapshot-foreign'],
      [bytes.slice(0, 6), 'snapshot-damaged'],
      [bytes.slice(0, -1), 'snapshot-damaged'],
      [newer, 'snapshot-newer'],
      [stateOf({ timeMode: 'processingTime' }).snapshot(), 'snapshot-plan-changed'],
    ];
    for (let i = 5; i < bytes.length; i++) refused.push([changed(i), 'snapshot-damaged']);
    for (const [given, code] of refused) expect(errorOf(() => state.restore(given))).toMatchObject({ code });
    expect(errorOf(() => state.restore('text' as never))).toMatchObject({ code: 'snapshot-foreign' });
    expect(state.snapshot()).toEqual(before);
  });

  it('keeps the order in which keys came, also where a later key has the place of one that went', () => {
    const settings: Settings = {
      onEvent(_, { user, at }, { setTimer, clear }) {
        setTimer(100);
        if (user === 'gone' && at > 1) clear();
      },
      onTimer: (_, __, { key }) => [key.user],
    };
    const state = stateOf(settings), restored = stateOf(settings);
    for (const event of [click(1, 'gone'), click(2, 'first'), click(3, 'gone'), click(4, 'second')]) state.push(event, event.at);
    state.advance(4);
    restored.restore(state.snapshot());

    expect(restored.advance(100)).toEqual(['first', 'second']);
    expect(state.advance(100)).toEqual(['first', 'second']);
  });

  it('counts keys as touched at the restart where they had no order of idleness before', () => {
    const forEver = stateOf(), expiring = stateOf({ ttl: 10 });
    forEver.push(click(1), 1);
    forEver.advance(100);
    expiring.restore(forEver.snapshot());

    expect(expiring.nextBoundary()).toBe(110);
  });
});

test.each([
  ['init', { init: 5 }],
  ['onEvent', { onEvent: undefined }],
  ['onTimer', { onTimer: 5 }],
  ['timeMode', { timeMode: 'batch' }],
  ['orderBy', { orderBy: undefined, timeMode: 'eventTime' }],
  ['orderBy', { orderBy: undefined, watermark: 5 }],
  ['delay', { orderBy: undefined, delay: 5 }],
  ['encode', { encode: () => 0 }],
  ['decodeEvent', { encodeEvent: () => 0 }],
  ['onFuture', { onFuture: 'pass' }],
  ['onInvalid', { onInvalid: 'ignore' }],
  ['maxKeys', { limits: { maxKeys: 0 } }],
  ['dropped', { dropped: 5 }],
  ['time', { time: 5 }],
  ['partitionBy', { partitionBy: 5 }],
])('a wrong %s is said at once', (field, settings) => {
  const error = errorOf(() => stateOf(settings as never));
  expect(error.code).toBe('invalid-config');
  expect(error.expected).toContain(field);
});

test('what a getter or an observer throws is passed on as it is', () => {
  const oops = new Error('oops');
  const next = vi.fn(() => { throw oops; });
  const event = Object.defineProperty(click(1), 'user', { get: next });

  expect(errorOf(() => stateOf().push(event, 1))).toBe(oops);
  expect(errorOf(() => stateOf({ dropped: { next } }).push(click(NaN), 1))).toBe(oops);
});
