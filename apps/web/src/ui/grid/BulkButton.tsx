import type { ButtonHTMLAttributes } from "react";

interface Props extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "type" | "className"> {
  /** The usual action, which comes first. */
  readonly isFirst?: boolean;
}

/** An action on the selected rows. */
export function BulkButton({ isFirst = false, ...button }: Props) {
  return (
    <button
      {...button}
      type="button"
      className={isFirst ? "grid-bulk-button is-first" : "grid-bulk-button"}
    />
  );
}
