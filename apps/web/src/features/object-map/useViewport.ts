import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent, type RefObject } from "react";
import { focusBeside, focusMiddle } from "./marks.ts";
import { movedBy, zoomedAt, type PlanePoint, type Size, type Viewport } from "./plane.ts";

const stepPixels = 80;

interface Gestures {
  readonly view: Viewport;
  readonly size: Size;
  readonly area: RefObject<HTMLDivElement | null>;
  readonly onView: (view: Viewport) => void;
}

/** Size of an element in pixels, followed. */
export function useSize(area: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useEffect(() => {
    const element = area.current;
    if (!element) return;
    const observer = new ResizeObserver(() => {
      setSize({ width: element.clientWidth, height: element.clientHeight });
    });
    observer.observe(element);
    setSize({ width: element.clientWidth, height: element.clientHeight });
    return () => observer.disconnect();
  }, [area]);
  return size;
}

/** Moves and zooms by pointer, wheel, two fingers and keys. */
export function useGestures({ view, size, area, onView }: Gestures) {
  const fingers = useRef(new Map<number, PlanePoint>());
  const latest = useRef({ view, size, onView });
  useEffect(() => {
    latest.current = { view, size, onView };
  });
  // React listens to the wheel passively, so the page would scroll as well.
  useEffect(() => {
    const element = area.current;
    if (!element) return;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const box = element.getBoundingClientRect();
      const at = { x: event.clientX - box.left, y: event.clientY - box.top };
      const { view: before, size: wide, onView: show } = latest.current;
      show(zoomedAt(before, Math.max(-1, Math.min(1, -event.deltaY / 240)), at, wide));
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  }, [area]);

  const placeOf = (event: PointerEvent): PlanePoint => {
    const box = event.currentTarget.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const onPointerDown = (event: PointerEvent) => {
    if (event.target instanceof Element && event.target.closest("[role=button], a, button")) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    fingers.current.set(event.pointerId, placeOf(event));
  };
  const onPointerMove = (event: PointerEvent) => {
    const before = fingers.current.get(event.pointerId);
    if (!before) return;
    const now = placeOf(event);
    const other = [...fingers.current].find(([id]) => id !== event.pointerId)?.[1];
    fingers.current.set(event.pointerId, now);
    if (!other) {
      onView(movedBy(view, now.x - before.x, now.y - before.y));
      return;
    }
    const [was, is] = [before, now].map((one) => Math.hypot(one.x - other.x, one.y - other.y));
    const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
    if (was && is) onView(zoomedAt(view, Math.log2(is / was), middle, size));
  };
  const onPointerEnd = (event: PointerEvent) => fingers.current.delete(event.pointerId);
  const middle = { x: size.width / 2, y: size.height / 2 };
  const zoomBy = (by: number) => onView(zoomedAt(view, by, middle, size));
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const steps: Readonly<Record<string, readonly [number, number]>> = {
      ArrowLeft: [stepPixels, 0],
      ArrowRight: [-stepPixels, 0],
      ArrowUp: [0, stepPixels],
      ArrowDown: [0, -stepPixels],
    };
    const step = steps[event.key];
    const zoom = { "+": 1, "=": 1, "-": -1, _: -1 }[event.key];
    const { currentTarget: map, target } = event;
    const mark = target instanceof Element ? target.closest("svg [role=button]") : null;
    const isEntered = event.key === "Enter" && target === map;
    const isLeft = event.key === "Escape" && mark !== null;
    if (!step && zoom === undefined && !isEntered && !isLeft) return;
    event.preventDefault();
    if (isEntered) focusMiddle(map);
    if (isLeft) map.focus();
    // The map moves under the arrows by the opposite of where they lead.
    if (step && mark) focusBeside(map, mark, [-Math.sign(step[0]), -Math.sign(step[1])]);
    else if (step) onView(movedBy(view, ...step));
    if (zoom !== undefined) zoomBy(zoom);
  };
  return {
    zoomBy,
    handlers: {
      onKeyDown,
      onPointerDown,
      onPointerMove,
      onPointerUp: onPointerEnd,
      onPointerCancel: onPointerEnd,
      onDoubleClick: () => zoomBy(1),
    },
  };
}
