import { describe, test } from 'vitest';
import { naiveEngine } from '../../src/testing/naive.ts';
import { caseConfig, fieldCases, replay, type CaseEngine, type CaseEvent, type Closing } from '../support/fieldCases.ts';

describe('the judge gives the right values of the field cases', () => {
  const runs = fieldCases.flatMap((one) => (Object.keys(one.expect) as Closing[]).map((closed) => ({ id: one.id, kind: one.kind, closed, one })));

  test.each(runs)('$id $kind, closed $closed', ({ one, closed }) => {
    replay(one, (): CaseEngine => naiveEngine<CaseEvent>()(caseConfig(one, closed)), { closed });
  });
});
