import type { ListedGroup } from "@metrum/contract";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "#lib/format";
import { Button } from "#ui/button";
import { SelectField } from "#ui/field";
import type { GridState } from "#ui/grid";
import { SearchBox } from "#ui/search";
import { adminsFilter } from "./users.ts";

interface Props {
  readonly state: GridState;
  readonly groups: readonly ListedGroup[];
  /** How many were found; undefined without a filter. */
  readonly found: number | undefined;
  readonly onChange: (change: Partial<GridState>) => void;
  readonly onInvite: (() => void) | undefined;
}

/** Search, group, state, and the way to invite. */
export function UserFilters({ state, groups, found, onChange, onInvite }: Props) {
  const { t } = useTranslation("users");
  const { number } = useFormat();
  const filter = (id: string, value: string) => {
    const rest = Object.entries(state.filters).filter(([name]) => name !== id);
    onChange({ filters: Object.fromEntries(value === "" ? rest : [...rest, [id, [value]]]) });
  };
  return (
    <div className="users-bar">
      <SearchBox
        label={t("search")}
        value={state.q}
        onSearch={useCallback((q: string) => onChange({ q }), [onChange])}
      />
      <SelectField
        label={t("column.group")}
        value={state.filters["group"]?.[0] ?? ""}
        placeholder={t("filter.everyGroup")}
        options={[
          { value: adminsFilter, title: t("administrators") },
          ...groups.map((each) => ({ value: String(each.id), title: each.name })),
        ]}
        onChange={(event) => filter("group", event.currentTarget.value)}
      />
      <SelectField
        label={t("column.state")}
        value={state.filters["state"]?.[0] ?? ""}
        placeholder={t("filter.everyState")}
        options={[
          { value: "active", title: t("filter.active") },
          { value: "inactive", title: t("filter.inactive") },
        ]}
        onChange={(event) => filter("state", event.currentTarget.value)}
      />
      <span className="users-count" aria-live="polite">
        {found === undefined ? null : t("found", { shown: number(found, 0) })}
      </span>
      {onInvite ? (
        <Button kind="primary" icon="plus" onClick={onInvite}>
          {t("invite.open")}
        </Button>
      ) : null}
    </div>
  );
}
