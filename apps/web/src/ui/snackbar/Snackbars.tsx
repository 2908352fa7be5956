import { useEffect, useRef, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "#ui/button";
import { Icon } from "#ui/icon";
import { StatusGlyph } from "#ui/status";
import { RedText } from "#ui/text";
import { snackQueue, type Snack } from "./queue.ts";
import "./snackbar.css";

/** In the top layer, so that an open dialog does not cover its messages. */
export function Snackbars() {
  const { t } = useTranslation("common");
  const snacks = useSyncExternalStore(snackQueue.subscribe, snackQueue.get);
  const holder = useRef<HTMLElement>(null);
  const newest = snacks.at(-1)?.id;
  const isEmpty = snacks.length === 0;
  useEffect(() => {
    const { current } = holder;
    if (current === null) return;
    // Shown again, it is above a dialog that was opened meanwhile.
    if (current.matches(":popover-open")) current.hidePopover();
    current.showPopover();
  }, [newest]);
  useEffect(() => {
    // The one under the pointer was removed, and with it the event that would have ended the pause.
    if (isEmpty) snackQueue.resume();
  }, [isEmpty]);
  return (
    <section
      ref={holder}
      className="snackbars"
      popover="manual"
      aria-label={t("snackbar.list")}
      aria-live="polite"
      onPointerEnter={snackQueue.pause}
      onPointerLeave={snackQueue.resume}
      onFocus={snackQueue.pause}
      onBlur={snackQueue.resume}
    >
      {snacks.map((each) => (
        <Snackbar key={each.id} snack={each} />
      ))}
    </section>
  );
}

function Snackbar({ snack }: { readonly snack: Snack }) {
  const { t } = useTranslation("common");
  const { action } = snack;
  const close = () => snackQueue.close(snack.id);
  return (
    <div className="snackbar" data-kind={snack.kind} role={snack.kind === "error" ? "alert" : "status"}>
      {snack.kind === "error" ? <StatusGlyph kind="alarm" /> : null}
      {snack.kind === "event-device" ? <Icon name="events" /> : null}
      <p>
        <RedText>{snack.text}</RedText>
      </p>
      {action ? (
        <button
          type="button"
          className="snackbar-action"
          onClick={() => {
            close();
            action.run();
          }}
        >
          {action.title}
        </button>
      ) : null}
      <IconButton icon="close" label={t("close")} size="small" onClick={close} />
    </div>
  );
}
