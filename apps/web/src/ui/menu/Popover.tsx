import {
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from "react";
import { placeOf, type Align } from "./place.ts";
import "./menu.css";

/** Props of the opener. */
export interface TriggerProps {
  readonly ref: RefObject<HTMLButtonElement | null>;
  readonly onClick: () => void;
  readonly "aria-haspopup": "menu" | "dialog";
  readonly "aria-expanded": boolean;
  readonly "aria-controls": string | undefined;
}

interface Props {
  readonly label: string;
  readonly trigger: (props: TriggerProps) => ReactNode;
  readonly children: (close: () => void) => ReactNode;
  readonly align?: Align;
  readonly role?: "menu" | "dialog";
  readonly className?: string;
  readonly onKeyDown?: (event: KeyboardEvent<HTMLDivElement>) => void;
  readonly onOpen?: (content: HTMLDivElement) => void;
  /** Its opener was pressed before it was loaded. */
  readonly startsOpen?: boolean;
}

/** Content next to its opener, in the top layer, so that it is not clipped by a table. */
export function Popover(props: Props) {
  const { label, trigger, children, role = "dialog" } = props;
  const [isOpen, setOpen] = useState(props.startsOpen ?? false);
  const opener = useRef<HTMLButtonElement>(null);
  const id = useId();
  const close = useCallback(() => {
    setOpen(false);
    opener.current?.focus();
  }, []);
  return (
    <>
      {trigger({
        ref: opener,
        onClick: () => setOpen((before) => !before),
        "aria-haspopup": role,
        "aria-expanded": isOpen,
        "aria-controls": isOpen ? id : undefined,
      })}
      {isOpen ? (
        <Floating
          {...props}
          role={role}
          id={id}
          label={label}
          opener={opener}
          close={close}
          leave={() => setOpen(false)}
        >
          {children}
        </Floating>
      ) : null}
    </>
  );
}

interface FloatingProps extends Omit<Props, "trigger"> {
  readonly id: string;
  readonly opener: RefObject<HTMLButtonElement | null>;
  readonly close: () => void;
  readonly leave: () => void;
}

function Floating(props: FloatingProps) {
  const { id, label, role, opener, close, leave, align = "start", onOpen, onKeyDown, className } = props;
  const content = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    const { current } = content;
    if (current === null || opener.current === null) return;
    current.showPopover();
    const size = { width: current.offsetWidth, height: current.offsetHeight };
    const view = { width: document.documentElement.clientWidth, height: innerHeight };
    const { left, top } = placeOf(opener.current.getBoundingClientRect(), size, view, align);
    current.style.left = `${String(left)}px`;
    current.style.top = `${String(top)}px`;
    onOpen?.(current);
    // Placed once: a scroll underneath closes it.
  }, []);

  useEffect(() => {
    const outside = (event: Event) => {
      if (!(event.target instanceof Node)) return;
      if (content.current?.contains(event.target) === true || opener.current?.contains(event.target) === true)
        return;
      leave();
    };
    document.addEventListener("pointerdown", outside, true);
    document.addEventListener("focusin", outside);
    document.addEventListener("scroll", outside, true);
    addEventListener("resize", leave);
    return () => {
      document.removeEventListener("pointerdown", outside, true);
      document.removeEventListener("focusin", outside);
      document.removeEventListener("scroll", outside, true);
      removeEventListener("resize", leave);
    };
  }, [leave, opener]);

  return (
    <div
      ref={content}
      id={id}
      className={className === undefined ? "popover" : `popover ${className}`}
      popover="manual"
      role={role}
      aria-label={label}
      onKeyDown={(event) => {
        if (event.key === "Escape") {
          event.stopPropagation();
          event.preventDefault();
          close();
        }
        onKeyDown?.(event);
      }}
    >
      {props.children(close)}
    </div>
  );
}
