import { useEffect, useState, type ReactNode } from "react";
import "./skeleton.css";

/** True after a while: what comes quickly needs no sign that it is coming. */
export function useLate(afterMs = 150): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), afterMs);
    return () => clearTimeout(timer);
  }, [afterMs]);
  return isLate;
}

/** A grey block with the size of what will stand there. It takes its place at once and shows itself after 150 ms. */
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
