import { useTranslation } from "react-i18next";
import { StatusGlyph, type StatusKind } from "#ui/status";

const shapes: readonly (readonly [name: string, kind: StatusKind])[] = [
  ["line", "silent"],
  ["silent", "warn"],
  ["rejected", "alarm"],
  ["off", "off"],
  ["gone", "offline"],
  ["asking", "pending"],
];

/** What the cells mean; always visible. */
export function Legend() {
  const { t } = useTranslation("completeness");
  return (
    <ul className="board-legend" aria-label={t("legend.label")}>
      {(["full", "part"] as const).map((kind) => (
        <li key={kind}>
          <span className="board-cell" data-kind={kind}>
            {kind === "part" ? <i style={{ height: "50%" }} /> : null}
          </span>
          {t(`legend.${kind}`)}
        </li>
      ))}
      {shapes.map(([name, kind]) => (
        <li key={name}>
          <StatusGlyph kind={kind} />
          {t(`legend.${name}`)}
        </li>
      ))}
      <li>
        <span className="board-cell" data-kind="filled">
          <StatusGlyph kind="online" />
        </span>
        {t("legend.filled")}
      </li>
    </ul>
  );
}
