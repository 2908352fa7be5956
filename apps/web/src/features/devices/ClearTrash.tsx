import { useTranslation } from "react-i18next";
import { useAllowed } from "#lib/session";
import { Button } from "#ui/button";
import { move } from "./move.ts";

/** Everything in the trash is removed for good. */
export function ClearTrash({ count = 0 }: { readonly count: number | undefined }) {
  const { t } = useTranslation("devices");
  const mayDelete = useAllowed("4:delete|4:access_all");
  if (!mayDelete || count === 0) return null;
  const clear = () => void move((moves) => moves.clearTrash(count, t));
  return (
    <Button icon="trash" kind="danger" onClick={clear}>
      {t("clear.action")}
    </Button>
  );
}
