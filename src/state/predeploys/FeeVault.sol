// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Gets fees of an OP chain, and pays them out to one account on L2: specs.optimism.io/protocol/predeploys.html, of the
/// SequencerFeeVault, BaseFeeVault, L1FeeVault and OperatorFeeVault.
contract FeeVault {
    uint256 public totalProcessed;

    string public constant version = "1.6.0";
    uint256 public constant minWithdrawalAmount = 0;
    uint256 public constant MIN_WITHDRAWAL_AMOUNT = 0;
    /// The first account of the mnemonic that devnet has by default.
    address public constant recipient = 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266;
    address public constant RECIPIENT = recipient;
    address public constant l1FeeWallet = recipient;
    /// 0: L1, 1: L2
    uint8 public constant withdrawalNetwork = 1;
    uint8 public constant WITHDRAWAL_NETWORK = 1;

    event Withdrawal(uint256 value, address to, address from);
    event Withdrawal(uint256 value, address to, address from, uint8 withdrawalNetwork);

    receive() external payable {}

    function withdraw() external returns (uint256 value) {
        value = address(this).balance;
        totalProcessed += value;
        emit Withdrawal(value, recipient, msg.sender);
        emit Withdrawal(value, recipient, msg.sender, withdrawalNetwork);
        (bool success,) = recipient.call{ value: value }("");
        require(success, "FeeVault: failed to send ETH to L2 fee recipient");
    }
}
