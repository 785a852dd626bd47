// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// A first deposit sets two slots.
contract Bank {
    mapping(address => uint256) public balances;
    mapping(address => uint256) public since;

    event Deposited(address indexed from, uint256 amount);

    function deposit() external payable {
        if (balances[msg.sender] == 0) since[msg.sender] = block.timestamp;
        balances[msg.sender] += msg.value;
        emit Deposited(msg.sender, msg.value);
    }

    /// With 2,300 gas.
    function payOut(address payable to) external {
        uint256 amount = balances[msg.sender] / 2;
        balances[msg.sender] -= amount;
        to.transfer(amount);
    }

    /// With all gas.
    function payOutByCall(address payable to) external {
        uint256 amount = balances[msg.sender] / 2;
        balances[msg.sender] -= amount;
        (bool paid, ) = to.call{value: amount}("");
        require(paid, "not paid");
    }
}

/// Reads with the 2,300 gas of a transfer: a slot, and whether its caller is a contract.
contract Wallet {
    uint256 private limit = 1;

    receive() external payable {
        require(limit > 0 && msg.sender.code.length > 0);
    }
}

contract Register {
    mapping(uint256 => uint256) private entries;

    function set(uint256 key, uint256 value) external {
        entries[key] = value;
    }
}

contract Caller {
    function setWithFixedGas(Register register, uint256 key) external {
        register.set{gas: 30000}(key, 1);
    }

    function setWithAllGas(Register register, uint256 key) external {
        register.set(key, 1);
    }
}
