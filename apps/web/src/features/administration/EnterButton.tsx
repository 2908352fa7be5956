import { useTranslation } from "react-i18next";
import { Button } from "#ui/button";

/** One click reloads the page inside the company or account. */
export function EnterButton(props: {
  readonly name: string;
  readonly isBusy: boolean;
  readonly isClosed: boolean;
  readonly onEnter: () => void;
}) {
  const { t } = useTranslation("administration");
  return (
    <Button
      size="small"
      isBusy={props.isBusy}
      disabled={props.isClosed}
      aria-label={t("enter.of", { name: props.name })}
      onClick={props.onEnter}
    >
      {t("enter.action")}
    </Button>
  );
}
