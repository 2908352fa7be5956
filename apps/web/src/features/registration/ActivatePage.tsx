import { useTranslation } from "react-i18next";
import { Button } from "#ui/button";
import { Dialog } from "#ui/dialog";
import "./registration.css";

export interface Activation {
  readonly isDone: boolean;
  /** Message of the server; null when it was not reached. */
  readonly msg: string | null;
}

/** Shows the outcome of an activation, then redirects to the sign-in. */
export function ActivatePage({ isDone, msg, onDone }: Activation & { readonly onDone: () => void }) {
  const { t } = useTranslation("registration");
  const title = t(isDone ? "activation.done" : "activation.failed");
  return (
    <>
      <h1>{t("activation.title")}</h1>
      <Dialog
        title={title}
        role="alertdialog"
        onClose={onDone}
        actions={
          <Button kind="primary" onClick={onDone} data-autofocus>
            {t("activation.toLogin")}
          </Button>
        }
      >
        <p>{msg ?? t("common:error.offline")}</p>
      </Dialog>
    </>
  );
}
