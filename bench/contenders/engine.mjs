import { built } from '../support/builtPackage.mjs';
import { config, tolerance, values } from './ours.mjs';

const { createEngine } = await built('engine.js');

export default {
  title: 'the engine of this package, called directly',
  cannot: 'nothing of what is asked here',
  values,
  tolerance,
  refuses: () => undefined,
  start(query, emit) {
    const engine = createEngine()(config(query));
    return {
      engine,
      push: (event) => engine.push(event, event.t),
      tick(frontier) {
        for (const row of engine.advance(frontier)) emit(row.key, frontier, row);
      },
    };
  },
};
