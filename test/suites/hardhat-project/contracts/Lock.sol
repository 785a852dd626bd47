// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// Hardhat's sample project, with a custom error beside the reason strings.
contract Lock {
    uint256 public unlockTime;
    address payable public owner;

    event Withdrawal(uint256 amount, uint256 when);

    error TooEarly(uint256 now_, uint256 unlockTime);

    constructor(uint256 time) payable {
        require(block.timestamp < time, "Unlock time should be in the future");
        unlockTime = time;
        owner = payable(msg.sender);
    }

    function withdraw() external {
        if (block.timestamp < unlockTime) revert TooEarly(block.timestamp, unlockTime);
        require(msg.sender == owner, "You aren't the owner");
        emit Withdrawal(address(this).balance, block.timestamp);
        owner.transfer(address(this).balance);
    }

    function divide(uint256 by) external pure returns (uint256) {
        return 1 / by;
    }

    function refuse() external pure {
        revert();
    }

    function random() external view returns (uint256) {
        return block.prevrandao;
    }
}
