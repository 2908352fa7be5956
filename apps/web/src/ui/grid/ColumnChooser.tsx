import { lazy, Suspense, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ChoicesProps } from "./ColumnChoices.tsx";

interface Props extends ChoicesProps {
  readonly label?: string;
}

/** The choices come when the menu is opened. */
const Choices = lazy(async () => ({ default: (await import("./ColumnChoices.tsx")).ColumnChoices }));

/** Which columns are shown and in which order; with five or more there is one box for all of them. */
export function ColumnChooser({ columns, shown, onShown, label }: Props) {
  const { t } = useTranslation("grid");
  const [isOpen, setOpen] = useState(false);
  const holder = useRef<HTMLDivElement>(null);
  const id = useId();
  useEffect(() => {
    if (!isOpen) return undefined;
    const close = (event: Event) => {
      if (event.target instanceof Node && holder.current?.contains(event.target) === true) return;
      setOpen(false);
    };
    document.addEventListener("pointerdown", close);
    return () => document.removeEventListener("pointerdown", close);
  }, [isOpen]);
  return (
    <div
      className="grid-menu"
      ref={holder}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !isOpen) return;
        event.stopPropagation();
        setOpen(false);
        holder.current?.querySelector("button")?.focus();
      }}
    >
      <button
        type="button"
        className="grid-tool"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <svg
          width="16"
          height="16"
          viewBox="0 0 16 16"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.5"
          aria-hidden="true"
        >
          <path d="M2.5 3h11v10h-11zM6.2 3v10M9.8 3v10" />
        </svg>
        {label ?? t("columns")}
      </button>
      {isOpen ? (
        <div className="grid-popover" id={id} role="group" aria-label={label ?? t("columns")}>
          <Suspense fallback={null}>
            <Choices columns={columns} shown={shown} onShown={onShown} />
          </Suspense>
        </div>
      ) : null}
    </div>
  );
}
