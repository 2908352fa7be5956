import { amountDecimals } from "@metrum/vocabulary";
import { useTranslation } from "react-i18next";
import { formatDateTime, useFormat } from "#lib/format";
import { useSession } from "#lib/session";
import { askedRegisters } from "./swapInput.ts";
import type { useRegisters } from "../registers.tsx";

/** The last readings of a meter by register. */
export function RegisterTable(props: {
  readonly known: ReturnType<typeof useRegisters>;
  readonly main: string | null;
  readonly caption: string;
}) {
  const { known, main, caption } = props;
  const { t } = useTranslation("pointReplacement");
  const { number } = useFormat();
  const { zone } = useSession();
  const rows = askedRegisters(known.all, main);
  if (rows.length === 0) return <p>{t("registers.none")}</p>;
  return (
    <table className="points-registers">
      <caption>{caption}</caption>
      <tbody>
        {rows.map((register) => (
          <tr key={register.field} data-main={register.field === main ? "" : undefined}>
            <th scope="row">{known.titleOf(register)}</th>
            <td>
              {register.last_value === null ? "—" : number(register.last_value, amountDecimals)}{" "}
              <small>{known.unitOf(register)}</small>
            </td>
            <td className="quiet">
              {register.last_at === null ? t("registers.never") : formatDateTime(register.last_at, zone)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
