import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "#lib/format";
import { TextField } from "#ui/field";
import type { Block, OfferedCommand } from "../offered.ts";

interface Props {
  readonly blocks: readonly Block[];
  readonly chosen: string | undefined;
  readonly onChoose: (offered: OfferedCommand) => void;
}

/** The commands of the models by block, found by their names. */
export function CommandNav({ blocks, chosen, onChoose }: Props) {
  const { t } = useTranslation(["control", "bulkControl"]);
  const { language } = useFormat();
  const [search, setSearch] = useState("");
  const wanted = search.trim().toLowerCase();
  const shown = blocks
    .map(({ id, commands }) => ({
      id,
      commands: commands.filter(({ command }) =>
        [t(`block.${id}`), command.title[language]].some((each) => each.toLowerCase().includes(wanted)),
      ),
    }))
    .filter(({ commands }) => commands.length > 0);
  return (
    <nav className="bulk-commands" aria-label={t("groups")}>
      <TextField
        type="search"
        label={t("find")}
        value={search}
        onChange={({ currentTarget }) => setSearch(currentTarget.value)}
      />
      {shown.length === 0 ? <p role="status">{t("bulkControl:none")}</p> : null}
      {shown.map(({ id, commands }) => (
        <div key={id} role="group" aria-label={t(`block.${id}`)}>
          <p aria-hidden="true">{t(`block.${id}`)}</p>
          {commands.map((offered) => (
            <button
              key={offered.command.key}
              type="button"
              aria-pressed={offered.command.key === chosen}
              onClick={() => onChoose(offered)}
            >
              {offered.command.title[language]}
            </button>
          ))}
        </div>
      ))}
    </nav>
  );
}
