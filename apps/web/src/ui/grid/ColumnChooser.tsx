import { Suspense, useCallback, useId, useState } from "react";
import { lazily } from "#lib/load";
import { useTranslation } from "react-i18next";
import { useClosing } from "#ui/menu";
import type { ChoicesProps } from "./ColumnChoices.tsx";

interface Props extends ChoicesProps {
  readonly label?: string;
}

/** The choices are loaded when the menu is opened. */
const Choices = lazily(async () => ({ default: (await import("./ColumnChoices.tsx")).ColumnChoices }));

/** Visible columns and their order; with five or more there is one checkbox for all of them. */
export function ColumnChooser({ columns, shown, onShown, label }: Props) {
  const { t } = useTranslation("grid");
  const [isOpen, setOpen] = useState(false);
  const close = useCallback(() => setOpen(false), []);
  const holder = useClosing(isOpen, close);
  const id = useId();
  return (
    <div
      className="grid-menu"
      ref={holder}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !isOpen) return;
        event.stopPropagation();
        close();
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
