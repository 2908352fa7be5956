import { useState } from "react";
import { useTranslation } from "react-i18next";
import { matching } from "#ui/dialog";
import { LongList } from "#ui/longList";
import type { Chip } from "./chips.tsx";

/** Above this number of options there is a search box. */
const searchOptionsFrom = 10;

/** Options of one filter; a long list has a search box. */
export function ChipOptions(props: {
  readonly chip: Chip;
  readonly values: readonly string[];
  readonly onValues: (values: readonly string[]) => void;
  readonly onBack: () => void;
}) {
  const { chip, values, onValues, onBack } = props;
  const { t } = useTranslation("grid");
  const [text, setText] = useState("");
  const found = matching(chip.options, text);
  const toggle = (id: string) => {
    if (values.includes(id)) onValues(values.filter((each) => each !== id));
    else onValues(chip.isSingle === true ? [id] : [...values, id]);
  };
  return (
    <>
      <button type="button" className="list-chip-back" onClick={onBack}>
        ‹ {chip.title}
      </button>
      {chip.options.length > searchOptionsFrom ? (
        <input
          className="list-chip-search"
          value={text}
          aria-label={t("searchOption")}
          placeholder={t("searchOption")}
          onChange={(event) => setText(event.target.value)}
        />
      ) : null}
      <LongList className="list-chip-options" items={found} keyOf={({ id }) => id}>
        {(option) => (
          <label>
            <input
              type="checkbox"
              className="grid-box"
              checked={values.includes(option.id)}
              onChange={() => toggle(option.id)}
            />
            {option.icon}
            {option.title}
          </label>
        )}
      </LongList>
      {found.length === 0 ? <p className="quiet">{t("noOption")}</p> : null}
    </>
  );
}
