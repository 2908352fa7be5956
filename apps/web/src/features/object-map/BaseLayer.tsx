import { useTranslation } from "react-i18next";
import { useFormat } from "#lib/format";
import {
  metresOfPixel,
  niceBelow,
  pixelsAcross,
  toDegrees,
  toPlane,
  type PlanePoint,
  type Size,
  type Viewport,
} from "./plane.ts";

interface Props {
  readonly view: Viewport;
  readonly size: Size;
  readonly toScreen: (point: PlanePoint) => PlanePoint;
}

/** Lines of latitude and longitude: the base layer that needs no network. */
export function GridLayer({ view, size, toScreen }: Props) {
  const { number } = useFormat();
  const perPixel = 360 / pixelsAcross(view.zoom);
  const step = niceBelow(perPixel * 220);
  const [latitude, longitude] = toDegrees(view);
  const decimals = Math.max(0, Math.ceil(-Math.log10(step)));
  const across = Math.ceil(size.width / 2 / (step / perPixel)) + 1;
  const down = Math.ceil(size.height / 2 / (step / perPixel)) + 2;
  const around = (middle: number, count: number, most: number) =>
    Array.from({ length: 2 * count + 1 }, (_, n) => (Math.round(middle / step) + n - count) * step).filter(
      (each) => Math.abs(each) <= most,
    );
  return (
    <g className="map-grid" aria-hidden="true">
      {around(longitude, across, 180).map((each) => {
        const { x } = toScreen(toPlane([latitude, each]));
        return (
          <g key={`x${String(each)}`}>
            <line x1={x} x2={x} y1={0} y2={size.height} />
            <text x={x + 4} y={size.height - 6}>
              {number(each, decimals)}°
            </text>
          </g>
        );
      })}
      {around(latitude, down, 85).map((each) => {
        const { y } = toScreen(toPlane([each, longitude]));
        return (
          <g key={`y${String(each)}`}>
            <line x1={0} x2={size.width} y1={y} y2={y} />
            <text x={4} y={y - 4}>
              {number(each, decimals)}°
            </text>
          </g>
        );
      })}
    </g>
  );
}

/** Raster tiles of the server that the operator has configured. */
export function TileLayer({ view, size, toScreen, url }: Props & { readonly url: string }) {
  const level = Math.max(0, Math.min(19, Math.round(view.zoom)));
  const count = 2 ** level;
  const half = { x: size.width / 2 / pixelsAcross(view.zoom), y: size.height / 2 / pixelsAcross(view.zoom) };
  const range = (middle: number, by: number): number[] => {
    const first = Math.max(0, Math.floor((middle - by) * count));
    const last = Math.min(count - 1, Math.floor((middle + by) * count));
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, n) => first + n);
  };
  const side = pixelsAcross(view.zoom) / count;
  return (
    <g className="map-tiles" aria-hidden="true">
      {range(view.y, half.y).flatMap((y) =>
        range(view.x, half.x).map((x) => {
          const at = toScreen({ x: x / count, y: y / count });
          const href = url
            .replaceAll("{z}", String(level))
            .replaceAll("{x}", String(x))
            .replaceAll("{y}", String(y));
          return <image key={href} href={href} x={at.x} y={at.y} width={side + 0.5} height={side + 0.5} />;
        }),
      )}
    </g>
  );
}

/** How long a distance is on the screen. */
export function ScaleBar({ view }: { readonly view: Viewport }) {
  const { t } = useTranslation("objectMap");
  const { number } = useFormat();
  const [latitude] = toDegrees(view);
  const metres = niceBelow(metresOfPixel(latitude, view.zoom) * 120);
  const width = metres / metresOfPixel(latitude, view.zoom);
  return (
    <div className="map-scale" style={{ width }}>
      {metres >= 1000
        ? t("kilometres", { shown: number(metres / 1000, 0) })
        : t("metres", { shown: number(metres, metres < 1 ? 1 : 0) })}
    </div>
  );
}
