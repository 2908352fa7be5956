import { useTranslation } from "react-i18next";
import { useFormat } from "#lib/format";
import { Segmented } from "#ui/field";

interface Props {
  readonly isTrash: boolean;
  /** Numbers outside and in the trash; undefined while they are not known. */
  readonly counts: { readonly all: number; readonly deleted: number } | undefined;
  readonly onTrash: (isShown: boolean) => void;
}

/** Shows the entries of a list, or those in its trash, each with its number. */
export function TrashSwitch({ isTrash, counts, onTrash }: Props) {
  const { t } = useTranslation("grid");
  const { number } = useFormat();
  const title = (text: string, count: number | undefined) =>
    count === undefined ? text : `${text} ${number(count, 0)}`;
  return (
    <Segmented
      name="trash"
      label={t("trash.label")}
      value={isTrash ? "trash" : "present"}
      onValue={(value) => onTrash(value === "trash")}
      options={[
        { value: "present", title: title(t("trash.present"), counts?.all) },
        { value: "trash", title: title(t("trash.trash"), counts?.deleted) },
      ]}
    />
  );
}
