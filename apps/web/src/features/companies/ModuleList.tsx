import type { Module } from "@metrum/contract/access";
import { modules as known } from "@metrum/vocabulary";
import { useTranslation } from "react-i18next";
import { useFormat } from "#lib/format";
import { IconButton } from "#ui/button";
import { Checkbox } from "#ui/field";
import { StatusGlyph } from "#ui/status";
import { companiesSlug } from "./draft.ts";

interface Props {
  /** Modules of the company above: only these can be granted. */
  readonly offered: readonly Module[];
  readonly isDealer: boolean;
  readonly value: readonly string[];
  readonly onValue: (slugs: readonly string[]) => void;
  readonly error: string | undefined;
}

/** Modules of a company, in the order of its menu. */
export function ModuleList({ offered, isDealer, value, onValue, error }: Props) {
  const { t } = useTranslation("companies");
  const { language } = useFormat();
  const slugs = offered.map(({ slug }) => slug).filter((slug) => isDealer || slug !== companiesSlug);
  const chosen = value.filter((slug) => slugs.includes(slug));
  const titleOf = (slug: string) => known.find((each) => each.slug === slug)?.title[language] ?? slug;
  const move = (at: number, by: number) => {
    const next = [...chosen];
    const [slug] = next.splice(at, 1);
    if (slug !== undefined) next.splice(at + by, 0, slug);
    onValue(next);
  };
  const tick = (slug: string, isOn: boolean) =>
    onValue(isOn ? [...chosen, slug] : chosen.filter((each) => each !== slug));
  const rest = slugs.filter((slug) => !chosen.includes(slug));
  return (
    <fieldset className="company-modules">
      <legend>{t("form.modules")}</legend>
      <ol>
        {[...chosen, ...rest].map((slug, at) => {
          const isOn = at < chosen.length;
          return (
            <li key={slug}>
              <Checkbox checked={isOn} onChange={(event) => tick(slug, event.currentTarget.checked)}>
                {titleOf(slug)}
              </Checkbox>
              {isOn ? (
                <span>
                  <IconButton
                    icon="chevronUp"
                    size="small"
                    label={t("form.earlier", { name: titleOf(slug) })}
                    disabled={at === 0}
                    onClick={() => move(at, -1)}
                  />
                  <IconButton
                    icon="chevronDown"
                    size="small"
                    label={t("form.later", { name: titleOf(slug) })}
                    disabled={at === chosen.length - 1}
                    onClick={() => move(at, 1)}
                  />
                </span>
              ) : null}
            </li>
          );
        })}
      </ol>
      {error === undefined ? null : (
        <span className="field-error" role="alert">
          <StatusGlyph kind="alarm" />
          {error}
        </span>
      )}
    </fieldset>
  );
}
