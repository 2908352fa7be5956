import type { PeriodVersion } from "@metrum/contract/accounting";
import { useTranslation } from "react-i18next";
import { formatDateTime, useFormat } from "#lib/format";
import { useSession } from "#lib/session";
import { SelectField } from "#ui/field";
import { Status } from "#ui/status";

interface Props {
  readonly versions: readonly PeriodVersion[];
  readonly version: number;
  readonly compare: number;
  readonly onShow: (version: number, compare: number) => void;
}

/** Which version is shown beside which, and who stored them when and why. */
export function Versions({ versions, version, compare, onShow }: Props) {
  const { t } = useTranslation("periods");
  const options = versions.map((each) => ({
    value: String(each.version),
    title: t(`versionOf.${each.kind}`, { version: each.version }),
  }));
  return (
    <section className="period-versions" aria-label={t("versions")}>
      <SelectField
        label={t("shown")}
        value={String(version)}
        options={options}
        onValue={(value) => onShow(Number(value), compare)}
      />
      <SelectField
        label={t("beside")}
        value={String(compare)}
        options={[{ value: "0", title: t("now") }, ...options]}
        onValue={(value) => onShow(version, Number(value))}
      />
      <ol>
        {versions.map((each) => (
          <Line key={each.version} version={each} />
        ))}
      </ol>
    </section>
  );
}

function Line({ version }: { readonly version: PeriodVersion }) {
  const { t } = useTranslation("periods");
  const { number } = useFormat();
  const { zone } = useSession();
  const { kind, made_at, made_by, reason, points, lacking, digest, is_intact } = version;
  return (
    <li>
      <b>{t(`versionOf.${kind}`, { version: version.version })}</b>
      <span>{t("madeAt", { at: formatDateTime(made_at, zone), by: made_by ?? "—" })}</span>
      {reason === "" ? null : <q>{reason}</q>}
      <span>{t("lackingOf", { count: lacking, shown: number(lacking, 0), all: number(points, 0) })}</span>
      {is_intact === null ? null : (
        <span title={digest}>
          <Status kind={is_intact ? "ok" : "alarm"}>{t(is_intact ? "intact" : "altered")}</Status>
        </span>
      )}
    </li>
  );
}
