export type Align = "start" | "end";

interface Size {
  readonly width: number;
  readonly height: number;
}
interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const gap = 4;
const margin = 8;

/** Below the opener, above it if there is no room below, and never beyond the edge of the window. */
export function placeOf(
  opener: Box,
  size: Size,
  view: Size,
  align: Align,
): { readonly left: number; readonly top: number } {
  const wanted = align === "start" ? opener.left : opener.right - size.width;
  const left = Math.max(margin, Math.min(wanted, view.width - size.width - margin));
  const below = opener.bottom + gap;
  const above = opener.top - gap - size.height;
  const fitsBelow = below + size.height <= view.height - margin;
  const top = fitsBelow || above < margin ? below : above;
  return { left, top: Math.max(margin, Math.min(top, Math.max(margin, view.height - size.height - margin))) };
}
