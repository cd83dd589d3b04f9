import { combineLatest, map, Subject, type Observable } from 'rxjs';
import { indexedDbStore, memoryStore } from 'rxjs-rolling-window/checkpoint';
import { CheckpointError, SnapshotError, type CheckpointStore } from 'rxjs-rolling-window/engine';
import type { Measurement } from '../measurement.ts';
import type { Place } from './home.ts';
import { inWorker } from './inWorker.ts';
import { onPage } from './onPage.ts';
import { openPerKind, openPerRoute, type KindRow, type RouteRow } from './plans.ts';
import { Residence, type Address } from './residence.ts';
import { toldStore } from './toldStore.ts';
import { startWorker, type WorkerEngines } from './workerEngines.ts';

type KindKey = ReturnType<typeof openPerKind>['removed'][number];
type RouteKey = ReturnType<typeof openPerRoute>['removed'][number];

type Name = 'routes' | 'kinds';

/** Both engines: where they live, and where their state is kept. */
export class Desk {
  readonly routes: Residence<RouteRow, RouteKey>;
  readonly kinds: Residence<KindRow, KindKey>;
  private readonly notes = new Subject<string>();
  /** What a visitor should know of, in words. */
  readonly notes$: Observable<string> = this.notes.asObservable();
  private readonly saves = { routes: new Subject<number>(), kinds: new Subject<number>() };
  /** Up to when both states are in IndexedDB: what came before survives this page. */
  readonly saved$: Observable<number> = combineLatest(Object.values(this.saves)).pipe(map((instants) => Math.min(...instants)));
  private readonly flush$: Observable<unknown>;
  private place: Place = 'page';
  private keeps: boolean | undefined;
  /** Each engine keeps its store wherever it moves: a store takes the saves of both places in order. */
  private stores: Record<Name, CheckpointStore> = { routes: memoryStore(), kinds: memoryStore() };
  private worker: WorkerEngines | undefined;
  private moves: Promise<void> = Promise.resolve();

  constructor(measurements$: Observable<Measurement>, flush$: Observable<unknown>) {
    this.flush$ = flush$;
    this.routes = new Residence(measurements$);
    this.kinds = new Residence(measurements$);
    this.routes.failures$.subscribe((error) => void this.recover(error, 'routes'));
    this.kinds.failures$.subscribe((error) => void this.recover(error, 'kinds'));
  }

  /**
   * Begins with what was saved, where this tab `keeps` the state in IndexedDB, else with nothing and in memory. Called again
   * it goes on, and keeps its state there from now on.
   */
  keep(keeps: boolean): Promise<void> {
    return this.afterwards(async () => {
      const first = this.keeps === undefined;
      if (keeps === this.keeps) return;
      this.keeps = keeps;
      this.stores = keeps ? { routes: this.kept('routes'), kinds: this.kept('kinds') } : { routes: memoryStore(), kinds: memoryStore() };
      this.notes.next(keeps ? '' : 'Another tab keeps the saved state: this one forgets at its end.');
      await (first ? this.settleAll() : this.moveAll());
    });
  }

  /** Takes both engines, with their state, into a worker or back. */
  live(place: Place): Promise<void> {
    return this.afterwards(async () => {
      if (place === this.place) return;
      this.place = place;
      const { worker } = this;
      this.worker = place === 'worker' ? startWorker() : undefined;
      await this.moveAll();
      worker?.close();
    });
  }

  /** One move after the other, however quickly a visitor switches. */
  private afterwards(move: () => Promise<void>): Promise<void> {
    return (this.moves = this.moves.then(move));
  }

  private kept(name: Name): CheckpointStore {
    return toldStore(indexedDbStore(databaseOf(name)), (began) => this.saves[name].next(began));
  }

  private async settleAll(): Promise<void> {
    await Promise.all([this.routes.settle(this.routesAt()), this.kinds.settle(this.kindsAt())]);
  }

  private async moveAll(): Promise<void> {
    await Promise.all([this.routes.move(this.routesAt()), this.kinds.move(this.kindsAt())]);
  }

  /** Says what went wrong, and goes on as well as that allows. */
  private async recover(error: unknown, name: Name): Promise<void> {
    if (error instanceof CheckpointError && error.code === 'checkpoint-conflict') {
      this.notes.next('Another tab went on with the saved state: this one takes it up from there.');
    } else if (error instanceof SnapshotError) {
      this.notes.next(`What was saved can't be read (${error.code}): the windows begin anew.`);
      await forget(name);
    } else if (error instanceof CheckpointError) {
      this.notes.next(`This browser saves nothing (${error.code}): the windows end with the page.`);
      this.stores[name] = memoryStore();
    } else {
      this.notes.next(`The windows have stopped: ${String(error)}`);
      throw error;
    }
    await this.afterwards(() => (name === 'routes' ? this.routes.settle(this.routesAt()) : this.kinds.settle(this.kindsAt())));
  }

  private routesAt(): Address<RouteRow, RouteKey> {
    const store = this.stores.routes;
    return { store, home: this.worker ? inWorker(this.worker.perRoute, store) : onPage(openPerRoute(), store, this.flush$) };
  }

  private kindsAt(): Address<KindRow, KindKey> {
    const store = this.stores.kinds;
    return { store, home: this.worker ? inWorker(this.worker.perKind, store) : onPage(openPerKind(), store, this.flush$) };
  }
}

const databaseOf = (name: Name): string => `rolling windows per ${name}`;

function forget(name: Name): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(databaseOf(name));
    request.onsuccess = () => resolve();
    request.onerror = () => reject(request.error ?? new Error('no database was deleted'));
  });
}
