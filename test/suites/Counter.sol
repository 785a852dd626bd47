// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

contract Counter {
    uint256 public number;
    address public immutable owner;

    event Changed(address indexed by, uint256 number);

    error NotOwner(address caller);

    constructor(uint256 start) payable {
        number = start;
        owner = msg.sender;
    }

    function increment() external returns (uint256) {
        number++;
        emit Changed(msg.sender, number);
        return number;
    }

    function set(uint256 to) external {
        if (msg.sender != owner) revert NotOwner(msg.sender);
        number = to;
        emit Changed(msg.sender, to);
    }

    function fail(string calldata why) external pure {
        revert(why);
    }
}
