/** How far the program is when it is killed each time: rising, so that it comes to an end, and the same for the same seed. */
export function momentsOf(flights: number, kills: number, seed: number): number[] {
  let state = seed;
  const random = (): number => {
    // A linear congruential generator, with the constants of Numerical Recipes.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return Array.from({ length: kills }, () => Math.floor(random() * flights)).sort((a, b) => a - b);
}
