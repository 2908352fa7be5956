import { mapBounds, type MapRectangle } from "@metrum/contract/accounting";

/** The latitude at which the square plane of web maps ends. */
const edge = 85.05112878;

/** A rectangle on the plane of web maps, both ways from 0 to 1, y to the south. */
export interface PlaneRectangle {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

const xOf = (longitude: number): number => (longitude + 180) / 360;

/** The same projection as in migration 0102. */
function yOf(latitude: number): number {
  const s = Math.sin((Math.max(-edge, Math.min(edge, latitude)) * Math.PI) / 180);
  return 0.5 - Math.log((1 + s) / (1 - s)) / (4 * Math.PI);
}

/** Half a metre more: coordinates of an answer are rounded, and must find again what they enclose. */
const margin = 1.2e-8;

export function onPlane({ south, west, north, east }: MapRectangle): PlaneRectangle {
  return {
    x0: xOf(west) - margin,
    y0: yOf(north) - margin,
    x1: xOf(east) + margin,
    y1: yOf(south) + margin,
  };
}

const rounded = (degrees: number): number => Math.round(degrees * 1e6) / 1e6;

/** Latitude and longitude of a point of the plane. */
export function coordinatesOf(x: number, y: number): [number, number] {
  const latitude = (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI;
  return [rounded(latitude), rounded(x * 360 - 180)];
}

export function rectangleOf({ x0, y0, x1, y1 }: PlaneRectangle): MapRectangle {
  const [north, west] = coordinatesOf(x0, y0);
  const [south, east] = coordinatesOf(x1, y1);
  return { south, west, north, east };
}

/**
 * Cells along the whole plane at a zoom. Of a viewport that would be wider than any screen the zoom is lowered,
 * so that the number of cells of an answer is bounded.
 */
export function cellsAcross({ x0, y0, x1, y1 }: PlaneRectangle, zoom: number): number {
  const span = Math.max(x1 - x0, y1 - y0, 1e-9);
  const most = Math.log2(mapBounds.viewport / (256 * span));
  return (256 * 2 ** Math.min(zoom, most)) / mapBounds.cell;
}

/** Metres on the ground for the whole plane at a latitude. */
export const metresAcross = (latitude: number): number =>
  40_075_016.7 * Math.cos((Math.min(edge, Math.abs(latitude)) * Math.PI) / 180);
