import { useEffect, useState, type ReactNode } from "react";
import "./skeleton.css";

/** True after a delay: quick answers need no loading indicator. */
export function useLate(afterMs = 150): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), afterMs);
    return () => clearTimeout(timer);
  }, [afterMs]);
  return isLate;
}

/** A grey placeholder of the expected size. It takes its space at once and becomes visible after 150 ms. */
export function Skeleton(props: {
  readonly width?: number | string;
  readonly height?: number | string;
}): ReactNode {
  const isLate = useLate();
  const { width = "100%", height = 12 } = props;
  return (
    <span
      className="skeleton"
      data-shown={isLate ? "" : undefined}
      aria-hidden="true"
      style={{ width, height }}
    />
  );
}
