/** The database as planner and workers use it, where its connections are cut at the worst moments. */
import assert from 'node:assert/strict';
import { type AddressInfo, createConnection, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { LocalPostgres } from '../../../harness/queue/local-postgres.ts';
import { describeUrl, isPassing, Store } from '../../../harness/queue/store.ts';
import { openStore } from '../../unit/harness/queue/support/tiny.ts';
import { sharedStart } from '../../unit/support/shared-start.ts';

const over = new AbortController();
describe('the store of a queue', () => {
  let postgres: LocalPostgres;
  sharedStart(
    async () => {
      postgres = await LocalPostgres.start();
    },
    async () => {
      over.abort(new Error('the tests are over'));
      await postgres?.stop();
    },
  );

  /** ErrorResponse (PostgreSQL, protocol, section "Message Formats") as a server writes it that an administrator ends. */
  function terminated(): Buffer {
    const fields = ['SFATAL', 'VFATAL', 'C57P01', 'Mterminating connection due to administrator command', ''];
    const body = Buffer.from(fields.map(field => `${field}\0`).join(''));
    const head = Buffer.alloc(5);
    head.write('E');
    head.writeUInt32BE(4 + body.length, 1);
    return Buffer.concat([head, body]);
  }

  /** A way to the server on which the next `cuts` connections end with the very bytes that make them ready. */
  async function cuttingProxy(
    socketFolder: string,
  ): Promise<{ url: string; cut(count: number): void; left(): number }> {
    let cuts = 0;
    const ready = Buffer.from('Z\0\0\0\u0005I');
    const proxy = createServer(near => {
      const far = createConnection(join(socketFolder, '.s.PGSQL.5432'));
      near.on('error', () => far.destroy());
      far.on('error', () => near.destroy());
      near.pipe(far);
      far.on('end', () => near.end());
      let isFirst = true;
      far.on('data', bytes => {
        if (cuts === 0 || !isFirst || !bytes.subarray(-ready.length).equals(ready)) near.write(bytes);
        else {
          cuts--;
          near.end(Buffer.concat([bytes, terminated()]));
          far.destroy();
        }
        isFirst = false;
      });
    });
    proxy.unref().listen(0, '127.0.0.1');
    await new Promise(resolve => proxy.once('listening', resolve));
    const { port } = proxy.address() as AddressInfo;
    return {
      url: `postgres://coexist@127.0.0.1:${port}/postgres`,
      cut: count => {
        cuts = count;
      },
      left: () => cuts,
    };
  }

  test('a connection that is ended with the bytes that make it ready is tried again, and its error reaches nobody', async () => {
    const proxy = await cuttingProxy(decodeURIComponent(postgres.url.split('host=')[1]!));
    const said: string[] = [];
    proxy.cut(2);
    const store = await openStore(proxy.url, over.signal, { say: text => said.push(text) });
    try {
      assert.equal(proxy.left(), 0);
      assert.deepEqual(await store.rows('select 1 as one'), [{ one: 1 }]);
      assert.equal(said.length, 2);
      assert.match(said[0]!, /^the queue's database cannot be reached \(.+\); trying again$/);
      assert.equal(said[1], "the queue's database can be reached again");
    } finally {
      await store.close();
    }
  });

  test('a backend that is frozen is replaced, and a lock that nobody gives back is waited for only so long', async () => {
    const impatient = await Store.open({
      url: postgres.url,
      say: () => {},
      signal: over.signal,
      supervise: false,
      patienceMs: 1500,
      statementMs: 400,
    });
    const other = await openStore(postgres.url, over.signal);
    try {
      const [{ pid } = { pid: 0 }] = await impatient.rows<{ pid: number }>('select pg_backend_pid() as pid');
      process.kill(pid, 'SIGSTOP');
      try {
        assert.deepEqual(await impatient.rows('select 1 as one'), [{ one: 1 }]);
      } finally {
        process.kill(pid, 'SIGCONT');
      }
      const lock = 'select pg_advisory_xact_lock(1, 2)';
      let giveBack = () => {};
      const held = new Promise<void>(resolve => {
        giveBack = resolve;
      });
      let hold = () => {};
      const holds = new Promise<void>(resolve => {
        hold = resolve;
      });
      const holder = other.transaction(async sql => {
        await sql.executeSql(lock);
        hold();
        await held;
      });
      await holds;
      await assert.rejects(
        impatient.transaction(sql => sql.executeSql(lock)),
        { code: 'queue-lost', message: /lock timeout/ },
      );
      giveBack();
      await holder;
      await impatient.transaction(sql => sql.executeSql(lock));
    } finally {
      await other.close();
      await impatient.close();
    }
  });

  test('what pg-boss says of its own statements is known by its code, though it is no Error', () => {
    const message = 'terminating connection due to administrator command';
    assert.equal(isPassing(Object.assign(new Error(message), { code: '57P01' })), true);
    assert.equal(isPassing({ message, code: '57P01' }), true);
    assert.equal(isPassing({ message: 'no such column', code: '42703' }), false);
    assert.equal(isPassing(new AggregateError([Object.assign(new Error('x'), { code: 'ECONNREFUSED' })])), true);
    assert.equal(isPassing(new Error('something else')), false);
  });
});

test('the address of a database is shown without its password, whatever that contains', () => {
  for (const [url, shown] of [
    ['postgres://me:secret@db.example/coexist', 'postgres://me@db.example/coexist'],
    ['postgres://me:se@cr:et@db.example:5432/coexist', 'postgres://me@db.example:5432/coexist'],
    ['postgres://me:se/cr?et@db.example/coexist', 'postgres://me@db.example/coexist'],
    ['postgres://me@db.example:5432/coexist', 'postgres://me@db.example:5432/coexist'],
    ['postgres://db.example:5432/coexist', 'postgres://db.example:5432/coexist'],
    ['postgres://me@/postgres?host=%2Frun%2Fx', 'postgres://me@/postgres?host=%2Frun%2Fx'],
  ] as const)
    assert.equal(describeUrl(url), shown);
});
