import { Suspense, useSyncExternalStore } from "react";
import { lazily } from "#lib/load";
import { useTranslation } from "react-i18next";
import { Button } from "#ui/button";
import { RedText } from "#ui/text";
import { Dialog } from "./Dialog.tsx";
import { openDialogs, type OpenDialog } from "./requests.ts";

// Prompts and choices are used deep inside the app; the first screen does not load them.
const Prompt = lazily(async () => ({ default: (await import("./Prompt.tsx")).Prompt }));

/** Renders the requested dialogs; mounted once, at the root. */
export function DialogHost() {
  const open = useSyncExternalStore(openDialogs.subscribe, openDialogs.get);
  return (
    <Suspense fallback={null}>
      {open.map((each) => (
        <Asked key={each.id} request={each} />
      ))}
    </Suspense>
  );
}

function Asked({ request }: { readonly request: OpenDialog }) {
  const { t } = useTranslation("common");
  switch (request.kind) {
    case "busy":
      return (
        <Dialog title={request.title} size={300} isBusy isTitleHidden>
          <div className="dialog-busy" role="status">
            <span className="spinner" />
            <span>{request.title}</span>
          </div>
        </Dialog>
      );
    case "alert":
      return (
        <Dialog
          title={request.title}
          size={request.size ?? 400}
          role="alertdialog"
          onClose={request.settle}
          actions={
            <Button kind="primary" data-autofocus onClick={request.settle}>
              {request.action ?? t("ok")}
            </Button>
          }
        >
          {request.text === undefined ? null : <RedText>{request.text}</RedText>}
        </Dialog>
      );
    case "confirm":
      return (
        <Dialog
          title={request.title}
          size={request.size ?? 400}
          role="alertdialog"
          onClose={() => request.settle(false)}
          actions={
            <>
              <Button data-autofocus onClick={() => request.settle(false)}>
                {t("cancel")}
              </Button>
              <Button kind={request.isHarmful ? "danger" : "primary"} onClick={() => request.settle(true)}>
                {request.action}
              </Button>
            </>
          }
        >
          {request.text === undefined ? null : <RedText>{request.text}</RedText>}
        </Dialog>
      );
    default:
      return <Prompt request={request} />;
  }
}
