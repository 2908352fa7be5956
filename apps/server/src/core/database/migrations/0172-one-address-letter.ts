/** One letter tells the former mailbox of another address, whoever has changed it. */
export default {
  name: "0172-one-address-letter",
  up: /* sql */ `update letter set kind = 'address_changed' where kind = 'own_address_changed';`,
};
