import { useTranslation } from "react-i18next";
import { Switch } from "#ui/field";
import type { TreeRow } from "./companies.ts";

/** Shows the state of the server; a click asks for confirmation. */
export function ActiveSwitch(props: {
  readonly row: TreeRow;
  readonly onToggle: ((row: TreeRow) => void) | undefined;
}) {
  const { t } = useTranslation("companies");
  const { row, onToggle } = props;
  const { company, isOwn } = row;
  return (
    <Switch
      checked={company.is_active}
      disabled={isOwn || onToggle === undefined || company.deleted_at !== null}
      onChange={() => onToggle?.(row)}
    >
      <span className="visually-hidden">{t("toggle", { name: company.name })}</span>
    </Switch>
  );
}
