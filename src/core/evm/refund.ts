// The refund counter of the running transaction (EIP-3529).
export let refund: i64 = 0;

export function addRefund(gas: i64): void {
  refund += gas;
}

export function setRefund(gas: i64): void {
  refund = gas;
}
