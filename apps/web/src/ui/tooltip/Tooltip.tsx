import { useEffect, useId, useRef, useState, type ReactNode } from "react";
import { placeOf } from "#ui/menu";
import "./tooltip.css";

interface Props {
  readonly text: ReactNode;
  /** The described element; it must be focusable for keyboard users. */
  readonly children: ReactNode;
}

const delayMs = 300;

/** A short description on hover and focus. Escape hides it; it ignores the pointer. */
export function Tooltip({ text, children }: Props) {
  const [isShown, setShown] = useState(false);
  const id = useId();
  const anchor = useRef<HTMLSpanElement>(null);
  const bubble = useRef<HTMLSpanElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const later = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setShown(true), delayMs);
  };
  const hide = () => {
    clearTimeout(timer.current);
    setShown(false);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    const { current } = bubble;
    const box = anchor.current?.getBoundingClientRect();
    if (!isShown || current === null || box === undefined) return;
    current.showPopover();
    const size = { width: current.offsetWidth, height: current.offsetHeight };
    const { left, top } = placeOf(box, size, { width: innerWidth, height: innerHeight }, "start");
    current.style.left = `${String(left)}px`;
    current.style.top = `${String(top)}px`;
  }, [isShown]);
  return (
    <span
      ref={anchor}
      className="tooltip-anchor"
      aria-describedby={isShown ? id : undefined}
      onPointerEnter={later}
      onPointerLeave={hide}
      onFocus={later}
      onBlur={hide}
      onKeyDown={(event) => {
        if (event.key === "Escape") hide();
      }}
    >
      {children}
      {isShown ? (
        <span ref={bubble} id={id} role="tooltip" className="tooltip" popover="manual">
          {text}
        </span>
      ) : null}
    </span>
  );
}
