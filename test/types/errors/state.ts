import { Subject } from 'rxjs';
import type { CheckpointStore } from 'rxjs-rolling-window';
import { createKeyedState, dropDuplicates, transformWithState } from 'rxjs-rolling-window/state';

interface Click {
  user: string;
  basket: { items: number };
  text: string;
  at: number;
}
declare const store: CheckpointStore;
const clicks$ = new Subject<Click>();

// error: Type '"usr"' is not assignable to type
clicks$.pipe(dropDuplicates({ by: 'usr' }));

// A key is a number, a bigint, text, a boolean or a date.
// error: Type '"basket"' is not assignable to type
clicks$.pipe(dropDuplicates({ by: 'basket' }));

// Text is no time by itself.
// error: Type '"text"' is not assignable to type
clicks$.pipe(dropDuplicates({ by: 'user', orderBy: 'text', within: '1 hour' }));

// error: Type '"usr"' is not assignable to type
clicks$.pipe(transformWithState({ partitionBy: 'usr', init: () => 0, onEvent: () => [1] }));

// The state is what `init` makes.
// error: Property 'pages' does not exist on type
clicks$.pipe(transformWithState({ partitionBy: 'user', init: () => ({ clicks: 0 }), onEvent: (state) => [state.pages] }));

// error: Argument of type 'string' is not assignable to parameter of type 'number'
clicks$.pipe(transformWithState({ partitionBy: 'user', init: () => 0, onEvent: (_state, _click, { replace }) => replace('1') }));

// A text would be emitted letter by letter.
// error: Type 'string' is not assignable to type
clicks$.pipe(transformWithState({ partitionBy: 'user', init: () => 0, onEvent: () => 'done' }));

// error: Property 'basket' does not exist on type
createKeyedState<Click>()({ partitionBy: 'user', init: (key) => key.basket, onEvent: () => undefined });

// What is kept here is saved by its owner.
// error: 'checkpoint' does not exist in type
clicks$.pipe(dropDuplicates({ by: 'user', checkpoint: { store } }));

// Checkpoints are for rolling windows.
// error: 'checkpoint' does not exist in type
clicks$.pipe(transformWithState(createKeyedState<Click>()({ partitionBy: 'user', init: () => 0, onEvent: () => [1] }), { checkpoint: { store } }));
