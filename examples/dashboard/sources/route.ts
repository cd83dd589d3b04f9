/** Where in the page a visitor is: `#/flights` is the route `/flights`. */
export const currentRoute = (): string => location.hash.slice(1) || '/';

/** Where a resource lies: its folder, since names with a checksum in them would each be a route of its own. */
export function routeOf(address: string): string {
  const { origin, pathname } = new URL(address, location.href);
  const folder = pathname.slice(0, pathname.lastIndexOf('/') + 1);
  return origin === location.origin ? `${folder}*` : `${origin}${folder}*`;
}
