import { permittedBy } from "#ui/change";

/** Message shown instead of a call that the rights do not allow, by the id of the call; reading is guarded. */
export const denials: Readonly<Record<string, string>> = {
  "supplier.list": "msg_91",
  "supplier.get": "msg_91",
  "supplier.points": "msg_91",
  "supplier.create": "msg_92",
  "supplier.update": "msg_93",
  "supplier.delete": "msg_94",
  "consumer.create": "msg_96",
  "consumer.update": "msg_97",
  "consumer.delete": "msg_98",
  "consumer.erase": "msg_98",
};

/** Whether the session may make a call on a directory; otherwise the user is told which right is missing. */
export const isPermitted = permittedBy(denials, "directory_denied");
