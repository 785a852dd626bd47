import { setTimeout as sleep } from 'node:timers/promises';

const BOTH = ['up', 'down'];

/**
 * The faults by name: `on` selects the affected node, `begin` starts the fault and `end` ends it. Both get the cluster and the node.
 */
export const FAULTS = {
  'kill the leader': { on: 'leader', begin: ({ cluster, member }) => cluster.kill(member) },
  'kill a follower': { on: 'follower', begin: ({ cluster, member }) => cluster.kill(member) },
  'stop the leader': {
    on: 'leader',
    begin: ({ member }) => member.stop(),
    end: ({ member }) => member.continue(),
  },
  'stop a follower': {
    on: 'follower',
    begin: ({ member }) => member.stop(),
    end: ({ member }) => member.continue(),
  },
  'restart the leader': {
    on: 'leader',
    begin: async ({ cluster, member }) => {
      await cluster.end(member);
      await cluster.startLeader(member);
    },
  },
  'restart Redis': {
    on: 'redis',
    begin: ({ cluster }) => cluster.killRedis(),
    end: ({ cluster }) => cluster.redis.start(),
  },
  'empty Redis': { on: 'redis', begin: ({ cluster }) => cluster.flush() },
  'no memory for Redis': {
    on: 'redis',
    begin: ({ cluster }) => cluster.redis.refuseMemory(),
    end: ({ cluster }) => cluster.redis.isUp && cluster.redis.allowMemory(),
  },
  'no disk for Redis': {
    on: 'redis',
    begin: ({ cluster }) => cluster.redis.refuseDisk(),
    end: ({ cluster }) => cluster.redis.isUp && cluster.redis.allowDisk(),
  },
  ...Object.fromEntries(
    ['leader', 'follower'].flatMap((on) => {
      const article = on === 'leader' ? 'the leader' : 'a follower';
      const silent = (directions) => ({
        on: `link of ${on}`,
        begin: ({ member }) => member.link.silence(directions),
        end: ({ member }) => member.link.speak(),
      });
      return [
        [`${article} and Redis silent`, silent(BOTH)],
        [`${article} silent for Redis`, silent(['up'])],
        [`Redis silent for ${article}`, silent(['down'])],
        [`connections of ${article} cut`, { on: `link of ${on}`, begin: ({ member }) => member.link.cut() }],
        [
          `connections of ${article} refused`,
          {
            on: `link of ${on}`,
            begin: ({ member }) => member.link.refuse(),
            end: ({ member }) => member.link.open(),
          },
        ],
      ];
    }),
  ),
  'the leader silent for other nodes': {
    on: 'door of leader',
    begin: ({ member }) => member.door.silence(BOTH),
    end: ({ member }) => member.door.speak(),
  },
  'promote a follower': { on: 'promotion', begin: ({ cluster, member }) => cluster.promote(member) },
  'a late follower': { on: 'late', begin: ({ cluster }) => cluster.addLate() },
  'revert around a late follower': {
    on: 'late',
    begin: async ({ cluster }) => {
      const snapshot = await cluster.snapshot();
      await sleep(300);
      await cluster.addLate();
      if (snapshot) await cluster.revert(snapshot);
    },
  },
};

/** Chooses two faults that can happen at the same time, because they affect different targets. */
export function twoFaults(random, names = Object.keys(FAULTS)) {
  for (;;) {
    const pair = [random.of(names), random.of(names)];
    const [a, b] = pair.map((name) => FAULTS[name].on);
    // If there is only one name, that fault happens alone.
    if (names.length === 1) return pair.slice(0, 1);
    if (a !== b) return pair;
  }
}
