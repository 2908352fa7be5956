import type { AccessAction } from "@metrum/vocabulary";
import { useTranslation } from "react-i18next";
import { Icon } from "#ui/icon";
import { StatusGlyph } from "#ui/status";
import { capabilitiesOf } from "./capabilities.ts";
import type { ModuleRow } from "./rights.ts";

/** Explains one tick in words; harmful rights are marked. */
export function TickMeaning({
  rows,
  tick,
}: {
  readonly rows: readonly ModuleRow[];
  readonly tick: { readonly module: number; readonly action: AccessAction };
}) {
  const { t } = useTranslation("users");
  const row = rows.find((each) => each.id === tick.module);
  const abilities = capabilitiesOf(tick.module, tick.action);
  if (!row) return null;
  return (
    <section className="panel meaning" aria-live="polite">
      <h3>
        {row.title}: {t(`action.${tick.action}`).toLowerCase()} <small>{t("meaning.title")}</small>
      </h3>
      <ul>
        {abilities.map(({ key, isHarmful }) => (
          <li key={key} data-harmful={isHarmful ? "" : undefined}>
            {isHarmful ? <StatusGlyph kind="alarm" /> : <Icon name="check" size={14} />}
            {t(`can.${key}`)}
          </li>
        ))}
      </ul>
    </section>
  );
}
