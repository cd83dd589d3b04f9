import { Subject } from 'rxjs';
import { built } from '../support/builtPackage.mjs';
import { config, tolerance, values } from './ours.mjs';

const { manual, rollingWindow } = await built('index.js');

export default {
  title: 'rollingWindow() in a pipe, evaluated at each tick',
  cannot: 'nothing of what is asked here',
  values,
  tolerance,
  refuses: () => undefined,
  start(query, emit) {
    const events$ = new Subject();
    const ticks$ = new Subject();
    events$.pipe(rollingWindow({ ...config(query), trigger: manual(ticks$) })).subscribe((row) => emit(row.key, row.__frontier, row));
    return { push: (event) => events$.next(event), tick: (frontier) => ticks$.next(frontier) };
  },
};
