import { useTranslation } from "react-i18next";
import { formatTime, useFormat } from "#lib/format";
import { deviceHref } from "#lib/screen";
import { StatusGlyph } from "#ui/status";
import { glyphOf, type BoardRow } from "./completeness.ts";

/** One day of a device: each hole with its reason, and the exchanges of its time. */
export function DayDetail({ row, day }: { readonly row: BoardRow; readonly day: string }) {
  const { t } = useTranslation("completeness");
  const { number } = useFormat();
  const type = row.types[0];
  const found = type?.days.find((each) => each.day === day);
  const titleOf = (reason: string) => type?.reasons.find((each) => each.reason === reason)?.title;
  if (!found) return null;
  return (
    <div className="board-detail">
      <p>
        <a href={deviceHref(row.device_id)}>{row.name}</a>
        {": "}
        {t("cell", { received: number(found.received, 0), expected: number(found.expected, 0) })}
      </p>
      <ul>
        {found.holes.map(({ from, to, missing, reason }) => (
          <li key={from}>
            <StatusGlyph {...glyphOf(reason)} />
            <span>
              <b>
                {formatTime(from, row.timezone_name)}–{endTime(to, row.timezone_name)}
              </b>{" "}
              {titleOf(reason)}
            </span>
            <a href={exchangesOf(row.device_id, { from, to })}>
              {t("exchanges", { count: missing, shown: number(missing, 0) })}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The end of a hole; midnight is the end of this day. */
function endTime(at: number, zone: string): string {
  const time = formatTime(at, zone);
  return time === "00:00" ? "24:00" : time;
}

/** The exchange log of a device for the time of a hole. */
const exchangesOf = (id: number, { from, to }: { readonly from: number; readonly to: number }): string =>
  `${deviceHref(id)}?tab=journal&from=${String(from)}&to=${String(to - 1)}`;
