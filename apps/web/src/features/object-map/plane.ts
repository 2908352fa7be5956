import type { MapRectangle } from "@metrum/contract/accounting";

/** A point of the plane of web maps, both ways from 0 to 1, y to the south. */
export interface PlanePoint {
  readonly x: number;
  readonly y: number;
}

/** What the screen shows: its middle, and the zoom of tiles of 256 pixels. */
export interface Viewport extends PlanePoint {
  readonly zoom: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export const leastZoom = 1;
export const mostZoom = 19;
const edge = 85.051;

/** Pixels of the whole plane. */
export const pixelsAcross = (zoom: number): number => 256 * 2 ** zoom;

const bounded = (value: number, least: number, most: number): number =>
  Math.max(least, Math.min(most, value));

export function toPlane([latitude, longitude]: readonly [number, number]): PlanePoint {
  const s = Math.sin((bounded(latitude, -edge, edge) * Math.PI) / 180);
  return { x: (longitude + 180) / 360, y: 0.5 - Math.log((1 + s) / (1 - s)) / (4 * Math.PI) };
}

export function toDegrees({ x, y }: PlanePoint): [number, number] {
  return [(Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI, x * 360 - 180];
}

/** Keeps the middle on the plane and the zoom within its bounds. */
export function limited({ x, y, zoom }: Viewport): Viewport {
  return { x: bounded(x, 0, 1), y: bounded(y, 0, 1), zoom: bounded(zoom, leastZoom, mostZoom) };
}

/** Zooms about a point of the screen, which stays where it is. */
export function zoomedAt(view: Viewport, by: number, at: PlanePoint, { width, height }: Size): Viewport {
  const zoom = bounded(view.zoom + by, leastZoom, mostZoom);
  const shift = 1 / pixelsAcross(view.zoom) - 1 / pixelsAcross(zoom);
  return limited({ x: view.x + (at.x - width / 2) * shift, y: view.y + (at.y - height / 2) * shift, zoom });
}

export function movedBy(view: Viewport, dx: number, dy: number): Viewport {
  const across = pixelsAcross(view.zoom);
  return limited({ ...view, x: view.x - dx / across, y: view.y - dy / across });
}

const rounded = (value: number): number => Math.round(value * 1e5) / 1e5;

/** The rectangle that the screen shows. */
export function rectangleOf({ x, y, zoom }: Viewport, { width, height }: Size): MapRectangle {
  const [w, h] = [width / 2 / pixelsAcross(zoom), height / 2 / pixelsAcross(zoom)];
  const [north, west] = toDegrees({ x: Math.max(0, x - w), y: Math.max(0, y - h) });
  const [south, east] = toDegrees({ x: Math.min(1, x + w), y: Math.min(1, y + h) });
  return { south: rounded(south), west: rounded(west), north: rounded(north), east: rounded(east) };
}

/** The viewport that shows a rectangle with a margin. */
export function viewportOf({ south, west, north, east }: MapRectangle, { width, height }: Size): Viewport {
  const [one, other] = [toPlane([north, west]), toPlane([south, east])];
  const fits = (span: number, pixels: number): number =>
    span <= 0 ? 16 : Math.log2((Math.max(120, pixels) - 96) / 256 / span);
  return limited({
    x: (one.x + other.x) / 2,
    y: (one.y + other.y) / 2,
    zoom: Math.min(16, fits(other.x - one.x, width), fits(other.y - one.y, height)),
  });
}

/** Metres of a pixel at a latitude. */
export const metresOfPixel = (latitude: number, zoom: number): number =>
  (40_075_016.7 * Math.cos((bounded(latitude, -edge, edge) * Math.PI) / 180)) / pixelsAcross(zoom);

/** The largest of 1, 2 and 5 times a power of ten up to a number. */
export function niceBelow(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most));
  return ([5, 2, 1].find((each) => each * power <= most) ?? 1) * power;
}
