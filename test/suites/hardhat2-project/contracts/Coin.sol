// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// The part of ERC-20 that matchers of token balances ask for.
contract Coin {
    string public constant name = "Coin";
    string public constant symbol = "COIN";
    uint8 public constant decimals = 18;
    mapping(address => uint256) public balanceOf;

    event Transfer(address indexed from, address indexed to, uint256 value);

    constructor(uint256 supply) {
        balanceOf[msg.sender] = supply;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        emit Transfer(msg.sender, to, value);
        return true;
    }
}
