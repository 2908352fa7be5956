import { useId, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "#ui/button";
import "./control.css";
import "./schedules/schedules.css";

interface Props {
  readonly title: string;
  /** State of the card: when its value was read. */
  readonly note?: ReactNode;
  /** The group of commands to which it belongs. */
  readonly group?: string;
  /** A command of this card is under way. */
  readonly isOpen?: boolean;
  readonly isFolded?: boolean;
  /** Without it the card cannot be folded. */
  readonly onFold?: (isFolded: boolean) => void;
  readonly children: ReactNode;
}

/** One block of commands or settings. */
export function Card({ title, note, group, isOpen = false, isFolded = false, onFold, children }: Props) {
  const { t } = useTranslation("control");
  const id = useId();
  return (
    <section
      className="control-card"
      aria-labelledby={id}
      data-group={group}
      data-open={isOpen ? "" : undefined}
      tabIndex={group === undefined ? undefined : -1}
    >
      <header>
        <h3 id={id}>{title}</h3>
        {note === undefined ? null : <span>{note}</span>}
        {onFold ? (
          <IconButton
            icon={isFolded ? "chevronDown" : "chevronUp"}
            size="small"
            aria-expanded={!isFolded}
            label={t(isFolded ? "unfold" : "fold", { title })}
            onClick={() => onFold(!isFolded)}
          />
        ) : null}
      </header>
      {isFolded ? null : children}
    </section>
  );
}
