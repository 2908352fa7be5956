import { useEffect, useState } from "react";

/** Appears after 150 ms in the geometry of the expected rows; a quick answer does not flicker. */
export function Skeleton(props: {
  readonly columns: number;
  readonly height: number;
  readonly rows: number;
}) {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), 150);
    return () => clearTimeout(timer);
  }, []);
  return Array.from({ length: Math.min(props.rows, 25) }, (_, row) => (
    <tr key={row} aria-hidden="true" className="grid-skeleton" style={{ height: props.height }}>
      {Array.from({ length: props.columns }, (_each, column) => (
        <td key={column} className={column === 0 ? "is-sticky" : undefined}>
          {isShown ? <i style={{ width: `${String(40 + ((row * 7 + column * 13) % 45))}%` }} /> : null}
        </td>
      ))}
    </tr>
  ));
}

export function GridNote(props: {
  readonly kind: "error" | "filtered";
  readonly text: string;
  readonly detail?: string | undefined;
  readonly action?: (() => void) | undefined;
  readonly actionText: string;
}) {
  const { kind, text, detail, action, actionText } = props;
  return (
    <div className="grid-note" role={kind === "error" ? "alert" : "status"}>
      <p>
        {kind === "error" ? (
          <span className="grid-note-glyph" aria-hidden="true">
            ◆
          </span>
        ) : null}
        {text}
      </p>
      {detail === undefined ? null : <p className="grid-note-detail">{detail}</p>}
      {action ? (
        <button type="button" className="grid-button" onClick={action}>
          {actionText}
        </button>
      ) : null}
    </div>
  );
}
