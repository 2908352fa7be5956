import { objectMap, type MapRectangle } from "@metrum/contract/accounting";
import type { InputOf } from "@metrum/contract/core";
import { useEffect, useRef, useState } from "react";
import { useCall } from "#lib/call";
import { rectangleOf, viewportOf, type Viewport } from "./plane.ts";
import { useSize } from "./useViewport.ts";

/** Requests and the address follow the map when it stands still for so long. */
const restMs = 200;
const everyMs = 60_000;

export type MapFilter = Pick<
  NonNullable<InputOf<typeof objectMap.view>["body"]>,
  "search_string" | "states" | "object_ids"
>;

interface Asked {
  /** Everything that there is to show. */
  readonly whole: MapRectangle;
  readonly filter: MapFilter;
  /** Null: the whole. */
  readonly initial: Viewport | null;
}

/** A map that can be moved: its viewport, and the objects that it shows. */
export function useMap({ whole, filter, initial }: Asked) {
  const area = useRef<HTMLDivElement>(null);
  const size = useSize(area);
  const [moved, setView] = useState<Viewport | null>(initial);
  const isMeasured = size.width > 0;
  const view = moved ?? (isMeasured ? viewportOf(whole, size) : { x: 0.5, y: 0.5, zoom: 1 });
  const rested = useRested(isMeasured ? view : null);
  const bounds = rectangleOf(rested ?? view, isMeasured ? size : { width: 800, height: 600 });
  const asked = { ...bounds, ...filter, zoom: Math.round((rested ?? view).zoom * 100) / 100 };
  const { data } = useCall(
    objectMap.view,
    { body: asked },
    { isQuiet: true, keepsPrevious: true, everyMs, isEnabled: rested !== null },
  );
  return { area, size, view, moved, setView, rested, bounds, shown: data };
}

/** A viewport that has not changed for a moment; the first one at once. */
function useRested(view: Viewport | null): Viewport | null {
  const [rested, setRested] = useState<Viewport | null>(null);
  const key = view ? [view.x, view.y, view.zoom].join() : "";
  useEffect(() => {
    if (!view) return;
    if (rested === null) {
      setRested(view);
      return;
    }
    const timer = setTimeout(() => setRested(view), restMs);
    return () => clearTimeout(timer);
  }, [key]);
  return rested;
}
